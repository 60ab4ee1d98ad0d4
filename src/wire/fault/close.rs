//! Close codes and reasons with which the server ends a socket.

/// Why the server ends a socket (live-channel.md §1.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Close {
    /// The frame before the subscription was too large.
    PreSubscribePayloadExceeded,
    /// The frame was larger than any may be.
    FrameTooLarge,
    /// What came is not in the framing of a WebSocket.
    NoWebSocket,
    /// A text frame was not UTF-8.
    NotText,
    /// Nothing was subscribed in time.
    PreSubscribeIdleTimeout,
    /// Too many sockets wait for a subscription.
    PreSubscribeCeiling,
    /// The reader does not keep up.
    SlowConsumer,
    /// The session has ended.
    SessionExpired,
    /// The credential that opened the socket no longer stands.
    CredentialLapsed,
    /// The server restarts; come back at once.
    ServiceRestart,
    /// The client speaks no draft this server speaks.
    UpgradeRequired,
}

impl Close {
    /// Every way a socket is ended, in the order of the enum.
    pub const ALL: &'static [Close] = &[
        Close::PreSubscribePayloadExceeded,
        Close::FrameTooLarge,
        Close::NoWebSocket,
        Close::NotText,
        Close::PreSubscribeIdleTimeout,
        Close::PreSubscribeCeiling,
        Close::SlowConsumer,
        Close::SessionExpired,
        Close::CredentialLapsed,
        Close::ServiceRestart,
        Close::UpgradeRequired,
    ];

    /// Close code and reason string.
    pub const fn wire(self) -> (u16, &'static str) {
        match self {
            Close::PreSubscribePayloadExceeded => (1009, "pre_subscribe_payload_exceeded"),
            Close::FrameTooLarge => (1009, "frame_too_large"),
            Close::NoWebSocket => (1002, "protocol_error"),
            Close::NotText => (1007, "invalid_utf8"),
            Close::PreSubscribeIdleTimeout => (1008, "pre_subscribe_idle_timeout"),
            Close::PreSubscribeCeiling => (1013, "pre_subscribe_connection_ceiling"),
            Close::SlowConsumer => (1013, "slow_consumer"),
            Close::SessionExpired => (1008, "session_expired"),
            Close::CredentialLapsed => (1008, "credential_lapsed"),
            Close::ServiceRestart => (1012, "service_restart"),
            Close::UpgradeRequired => (1000, "upgrade_required"),
        }
    }

    /// What happened and what to do, for a developer.
    pub const fn text(self) -> &'static str {
        match self {
            Close::PreSubscribePayloadExceeded => {
                "The frame before the subscription was too large. Subscribe first."
            }
            Close::FrameTooLarge => "The frame was too large. Send smaller ones.",
            Close::NoWebSocket => {
                "What came is no WebSocket frame (RFC 6455). Mend the client; do not come back as it is."
            }
            Close::NotText => {
                "A text frame was not UTF-8. Mend the client; do not come back as it is."
            }
            Close::PreSubscribeIdleTimeout => {
                "Nothing was subscribed in time. Open a new socket and subscribe."
            }
            Close::PreSubscribeCeiling => {
                "Too many sockets wait for a subscription. Come back with back-off."
            }
            Close::SlowConsumer => {
                "The reader did not keep up. Come back and resume from the last seq."
            }
            Close::SessionExpired => "The session has ended. Do not come back.",
            Close::CredentialLapsed => {
                "The credential was revoked or has expired. Come back with one that stands."
            }
            Close::ServiceRestart => "The server restarts. Come back at once and resume.",
            Close::UpgradeRequired => {
                "Client and server share no version of the live channel. Do not come back."
            }
        }
    }
}
