//! The functions of `ureq` that wasm-pack calls. Every request fails: nothing is downloaded while the project is built.

use std::fmt::{self, Display, Formatter};
use std::io;

use serde::de::DeserializeOwned;

/// Returns a builder of agents.
pub fn builder() -> AgentBuilder {
    AgentBuilder
}

/// A builder without settings.
pub struct AgentBuilder;

impl AgentBuilder {
    /// Changes nothing.
    pub fn try_proxy_from_env(self, _: bool) -> Self {
        self
    }

    /// Changes nothing.
    pub fn user_agent(self, _: &str) -> Self {
        self
    }

    /// Returns an agent.
    pub fn build(self) -> Agent {
        Agent
    }
}

/// An agent whose requests fail.
pub struct Agent;

impl Agent {
    /// Returns a request that will fail.
    pub fn get(&self, _: &str) -> Request {
        Request
    }
}

/// A request that fails.
pub struct Request;

impl Request {
    /// Changes nothing.
    pub fn set(self, _: &str, _: &str) -> Self {
        self
    }

    /// Fails.
    pub fn call(self) -> Result<Response, Error> {
        Err(Error)
    }
}

/// An answer, which never comes.
pub enum Response {}

impl Response {
    /// Returns the status of the answer.
    pub fn status(&self) -> u16 {
        match *self {}
    }

    /// Returns the decoded answer.
    pub fn into_json<T: DeserializeOwned>(self) -> io::Result<T> {
        match self {}
    }
}

/// The failure of every request.
#[derive(Debug)]
pub struct Error;

impl Display for Error {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("wasm-pack is built without downloads")
    }
}

impl std::error::Error for Error {}
