// The catalog: every component a view may name.

import type { ComponentType } from "preact";
import type { ComponentProps } from "../draw/context";
import { ActionButton } from "./action-button";
import { Badge } from "./badge";
import { Button } from "./button";
import { Card } from "./card";
import { Chart } from "./chart/chart";
import { Checklist, ChoicePicker, Select } from "./choice";
import { Code } from "./code";
import { DateTimeInput } from "./date-time-input";
import { Divider } from "./divider";
import { EmptyState } from "./empty-state";
import { FieldSet } from "./field-set";
import { Form } from "./form";
import { Heading } from "./heading";
import { Icon } from "./icon";
import { Image } from "./image";
import { KeyValue } from "./key-value";
import { Column, List, Row } from "./layout";
import { Log } from "./log";
import { Metric } from "./metric";
import { Modal } from "./modal";
import { Notice } from "./notice";
import { NumberField, Slider } from "./number-inputs";
import { Progress } from "./progress";
import { Table } from "./table/table";
import { Tabs } from "./tabs";
import { Text } from "./text";
import { TextField } from "./text-field";
import { CheckBox, Switch } from "./toggles";

export const catalog: ReadonlyMap<string, ComponentType<ComponentProps>> = new Map(
  Object.entries({
    ActionButton, Badge, Button, Card, Chart, CheckBox, Checklist, ChoicePicker, Code, Column, DateTimeInput, Divider, EmptyState, FieldSet, Form, Heading, Icon, Image,
    KeyValue, List, Log, Metric, Modal, Notice, NumberField, Progress, Row, Select, Slider, Switch, Table, Tabs, Text, TextField,
  }),
);
