import { duration, file, integer, oneOf, port, text } from '../kinds.ts'

/** Figures and logs of a server. */
export const telemetry = {
  access_log: file({
    default: 'none',
    live: true,
    doc: 'A file with a line for each request that was answered, without queries and bodies; none for no such file.',
  }),
  access_log_format: oneOf(
    'combined',
    'json',
  )({
    default: 'combined',
    live: true,
    doc: "The form of its lines: combined, as Puppet Server's own access log has them, or json.",
  }),
  slow_request_after: duration({
    default: '30s',
    live: true,
    doc: 'How long a request may take before the log says so; 0 for never.',
  }),
  event_loop_stall: integer({
    default: '250',
    live: true,
    doc: 'Milliseconds for which the server may answer nobody before the log says so, with what was under way; 0 for never.',
  }),
  metrics_plain_port: port({
    default: '0',
    doc: 'A port with nothing but /metrics, without TLS, on the loopback interface, for a scraper on this machine; 0 is none. Every user of this machine may then read the figures.',
  }),
  metrics_server_id: text({
    takes: 'a name',
    default: 'localhost',
    doc: "The name of this server in names of MBeans, as server-id in Puppet Server's metrics.conf: puppetlabs.NAME.compiler.compile.",
  }),
} as const
