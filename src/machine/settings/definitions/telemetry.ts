import { defineChoice, defineDuration, defineFile, defineInteger, definePort, defineText } from '../kinds.ts'

/** Settings for the metrics and logs of a server. */
export const telemetrySettings = {
  access_log: defineFile({
    default: 'none',
    live: true,
    doc: 'File with one line for each completed request, without query strings and bodies; none disables it.',
  }),
  access_log_format: defineChoice(
    'combined',
    'json',
  )({
    default: 'combined',
    live: true,
    doc: 'Format of the access log: combined (as in Puppet Server) or json.',
  }),
  slow_request_after: defineDuration({
    default: '30s',
    live: true,
    doc: 'Duration after which a request is logged as slow; 0 disables it.',
  }),
  event_loop_stall: defineInteger({
    default: '250',
    live: true,
    doc: 'Milliseconds without response after which the server logs a stall and the work that caused it; 0 disables it.',
  }),
  metrics_plain_port: definePort({
    default: '0',
    doc: 'Port on the loopback interface that serves only /metrics, without TLS, for a scraper on this machine; 0 disables it. Every user of this machine can read the metrics.',
  }),
  metrics_server_id: defineText({
    takes: 'a name',
    default: 'localhost',
    doc: 'Server name in MBean names (puppetlabs.NAME.compiler.compile), as server-id in metrics.conf of Puppet Server.',
  }),
} as const
