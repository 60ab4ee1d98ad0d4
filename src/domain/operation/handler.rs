//! How a service registers what it does under the names of operations.

use std::marker::PhantomData;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde_json::Value;

use super::answer::{Answer, Reply};
use super::caller::Caller;
use super::row::{Row, Rules, Signature};
use super::schema::{input_schema, output_schema};

/// Does one operation. `F` is what any of them may fail with.
pub(crate) trait Handler<F>: Send + Sync {
    /// Reads the arguments into their type, and does it.
    fn run<'a>(&'a self, caller: &'a Caller, arguments: Value) -> BoxFuture<'a, Result<Answer, F>>;

    /// Refuses an operation for which its object is not ready, before anything else about its
    /// arguments is judged.
    fn ready<'a>(
        &'a self,
        caller: &'a Caller,
        arguments: &'a Value,
    ) -> BoxFuture<'a, Result<(), F>>;

    /// Bytes that are read for it beside its arguments.
    fn held<'a>(&'a self, caller: &'a Caller, arguments: &'a Value) -> BoxFuture<'a, usize>;
}

/// An operation that can be asked for: what is told of it, and what does it. A source of tools that
/// are known only while the server runs makes its own.
pub(crate) struct Registration<F> {
    pub(crate) name: Arc<str>,
    /// For people.
    pub(crate) title: Arc<str>,
    /// For models.
    pub(crate) description: Arc<str>,
    /// How it is treated.
    pub(crate) rules: Rules,
    /// Schema of its arguments.
    pub(crate) input: Value,
    /// Schema of its result, made when a list of tools is written.
    pub(crate) output: Box<dyn Fn() -> Value + Send + Sync>,
    /// Does it.
    pub(crate) handler: Box<dyn Handler<F>>,
}

/// A function of a service that does an operation.
type Handle<S, O, E> = for<'a> fn(
    &'a S,
    &'a Caller,
    <O as Signature>::Params,
) -> BoxFuture<'a, Result<Reply<<O as Signature>::Result>, E>>;

/// A function of a service that says how many bytes are read for an operation.
type Held<S> = for<'a> fn(&'a S, &'a Caller, &'a Value) -> BoxFuture<'a, usize>;

/// A function of a service that says whether what an operation is about is ready for it.
type Ready<S, E> = for<'a> fn(&'a S, &'a Caller, &'a Value) -> BoxFuture<'a, Result<(), E>>;

/// What one service does, and may fail with.
pub(crate) struct Handlers<S, E, F> {
    service: Arc<S>,
    registrations: Vec<Registration<F>>,
    error: PhantomData<E>,
}

impl<S, E, F> Handlers<S, E, F>
where
    S: Send + Sync + 'static,
    E: Send + 'static,
    F: From<serde_json::Error> + From<E> + Send + 'static,
{
    /// Nothing yet.
    pub(crate) fn of(service: &Arc<S>) -> Self {
        Self {
            service: Arc::clone(service),
            registrations: Vec::new(),
            error: PhantomData,
        }
    }

    /// The service does this.
    pub(crate) fn on<O: Signature>(self, handle: Handle<S, O, E>) -> Self {
        self.register::<O>(handle, nothing_held, |_, _, _| always_ready())
    }

    /// The service does this, where what it is about is ready for it.
    pub(crate) fn on_ready<O: Signature>(
        self,
        ready: Ready<S, E>,
        handle: Handle<S, O, E>,
    ) -> Self {
        self.register::<O>(handle, nothing_held, ready)
    }

    /// The service does this, and reads what is long for it.
    pub(crate) fn on_held<O: Signature>(self, held: Held<S>, handle: Handle<S, O, E>) -> Self {
        self.register::<O>(handle, held, |_, _, _| always_ready())
    }

    fn register<O: Signature>(
        mut self,
        handle: Handle<S, O, E>,
        held: Held<S>,
        ready: Ready<S, E>,
    ) -> Self {
        let Row {
            name,
            title,
            description,
            rules,
        } = O::ROW;
        self.registrations.push(Registration {
            name: name.into(),
            title: title.into(),
            description: description.into(),
            rules,
            input: input_schema::<O::Params>(),
            output: Box::new(output_schema::<O::Result>),
            handler: Box::new(Typed::<S, O, E> {
                service: Arc::clone(&self.service),
                handle,
                held,
                ready,
            }),
        });
        self
    }

    /// All of it.
    pub(crate) fn into_registrations(self) -> Vec<Registration<F>> {
        self.registrations
    }
}

fn nothing_held<'a, S>(_: &'a S, _: &'a Caller, _: &'a Value) -> BoxFuture<'a, usize> {
    Box::pin(std::future::ready(0))
}

fn always_ready<E: Send + 'static>() -> BoxFuture<'static, Result<(), E>> {
    Box::pin(std::future::ready(Ok(())))
}

/// A function of a service, behind the types of its operation.
struct Typed<S, O: Signature, E> {
    service: Arc<S>,
    handle: Handle<S, O, E>,
    held: Held<S>,
    ready: Ready<S, E>,
}

impl<S, O, E, F> Handler<F> for Typed<S, O, E>
where
    S: Send + Sync,
    O: Signature,
    E: Send + 'static,
    F: From<serde_json::Error> + From<E> + Send + 'static,
{
    fn run<'a>(&'a self, caller: &'a Caller, arguments: Value) -> BoxFuture<'a, Result<Answer, F>> {
        Box::pin(async move {
            let params = serde_json::from_value::<O::Params>(arguments)?;
            let reply = (self.handle)(&self.service, caller, params).await?;
            Ok(Answer::written(reply))
        })
    }

    fn ready<'a>(
        &'a self,
        caller: &'a Caller,
        arguments: &'a Value,
    ) -> BoxFuture<'a, Result<(), F>> {
        Box::pin(async move { Ok((self.ready)(&self.service, caller, arguments).await?) })
    }

    fn held<'a>(&'a self, caller: &'a Caller, arguments: &'a Value) -> BoxFuture<'a, usize> {
        (self.held)(&self.service, caller, arguments)
    }
}
