import { defineChoice, defineDuration, defineFile, defineInteger, definePort, defineText } from '../kinds.ts'

/** Settings for the metrics and logs of a server. */
export const telemetrySettings = {
  access_log: defineFile({
    default: 'none',
    live: true,
    doc: 'Path of the access log, which contains one line for each completed request, without query strings and bodies. `none` disables the access log.',
  }),
  access_log_format: defineChoice(
    'combined',
    'json',
  )({
    default: 'combined',
    live: true,
    doc: 'Format of the access log: `combined` (as in Puppet Server) or `json`.',
  }),
  slow_request_after: defineDuration({
    default: '30s',
    live: true,
    doc: 'Duration after which a request is logged as slow; 0 disables these messages.',
  }),
  event_loop_stall: defineInteger({
    default: '250',
    live: true,
    doc: 'Time without a response from the event loop, in milliseconds, after which the server logs a stall and its cause; 0 disables these messages.',
  }),
  metrics_plain_port: definePort({
    default: '0',
    doc: 'Port on the loopback interface that serves only /metrics, without TLS, for a scraper on this machine; 0 disables the port. Every user of this machine can read the metrics.',
  }),
  metrics_server_id: defineText({
    takes: 'a name',
    default: 'localhost',
    doc: 'Server name in MBean names (puppetlabs.NAME.compiler.compile), like `server-id` in metrics.conf of Puppet Server.',
  }),
} as const
