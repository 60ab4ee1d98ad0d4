// The catalog: every component a view may name.

import type { Renderers } from "../draw/context";
import { ActionButton } from "./action-button";
import { Answers } from "./answers";
import { Article } from "./article";
import { Badge } from "./badge";
import { Board } from "./board";
import { Button } from "./button";
import { Calendar } from "./calendar";
import { Card } from "./card";
import { Cards } from "./cards";
import { Changes } from "./changes";
import { Chart } from "./chart/chart";
import { Chat } from "./chat";
import { CheckBox } from "./check-box";
import { Checklist } from "./checklist";
import { ChoicePicker } from "./choice-picker";
import { Code } from "./code";
import { Column } from "./column";
import { DateTimeInput } from "./date-time-input";
import { Diff } from "./diff";
import { Divider } from "./divider";
import { EmptyState } from "./empty-state";
import { FieldSet } from "./field-set";
import { Form } from "./form";
import { Heading } from "./heading";
import { Icon } from "./icon";
import { Image } from "./image";
import { Items } from "./items";
import { KeyValue } from "./key-value";
import { List } from "./list";
import { Log } from "./log";
import { Matrix } from "./matrix";
import { Metric } from "./metric";
import { Modal } from "./modal";
import { Notice } from "./notice";
import { NumberField } from "./number-field";
import { Poll } from "./poll";
import { Progress } from "./progress";
import { Quiz } from "./quiz";
import { Rating } from "./rating";
import { Row } from "./row";
import { Search } from "./search";
import { Seats } from "./seats";
import { Select } from "./select";
import { Slider } from "./slider";
import { Stepper } from "./stepper";
import { Switch } from "./switch";
import { Table } from "./table/table";
import { Tabs } from "./tabs";
import { Tasks } from "./tasks";
import { Text } from "./text";
import { TextField } from "./text-field";
import { Timeline } from "./timeline";
import { Toast } from "./toast";
import { Tree } from "./tree";
import { Values } from "./values";
import { Wizard } from "./wizard";

export const catalog: Required<Renderers> = {
  ActionButton,
  Answers,
  Article,
  Badge,
  Board,
  Button,
  Calendar,
  Card,
  Cards,
  Changes,
  Chart,
  CheckBox,
  Chat,
  Checklist,
  ChoicePicker,
  Code,
  Column,
  DateTimeInput,
  Diff,
  Divider,
  EmptyState,
  FieldSet,
  Form,
  Heading,
  Icon,
  Image,
  Items,
  KeyValue,
  List,
  Log,
  Matrix,
  Metric,
  Modal,
  Notice,
  NumberField,
  Poll,
  Progress,
  Quiz,
  Rating,
  Row,
  Search,
  Seats,
  Select,
  Slider,
  Stepper,
  Switch,
  Table,
  Tabs,
  Tasks,
  Text,
  TextField,
  Timeline,
  Toast,
  Tree,
  Values,
  Wizard,
};
