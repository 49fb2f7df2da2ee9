import { ownValue } from '../../../base/own-value.ts'
import { definitions } from '../definitions/index.ts'

/** The equivalent of a Puppet Server key: a setting, or the reason why the key has no effect. */
export type Meaning =
  | {
      readonly setting: keyof typeof definitions
      /** Converts the value's text to the setting's text, if the two formats differ. */
      readonly convert?: (text: string) => string
    }
  | { readonly without: string }

const to = (
  setting: keyof typeof definitions,
  convert = definitions[setting].kind.flag ? flagText : undefined,
): Meaning => (convert === undefined ? { setting } : { setting, convert })

/** Words for booleans in HOCON, with the equivalent words in puppet.conf. */
const flagWords: Readonly<Record<string, string>> = { yes: 'true', on: 'true', no: 'false', off: 'false' }
function flagText(text: string): string {
  return ownValue(flagWords, text) ?? text
}
const no = (without: string): Meaning => ({ without })

const seconds = (text: string): string => (/^\d+$/.test(text) ? `${text}s` : text)
const ofMilliseconds = (text: string): string => (/^\d+$/.test(text) ? `${Math.ceil(Number(text) / 1000)}s` : text)
/** Converts a negative number to 0. Puppet Server disables max-retry-delay and similar keys with a negative number. */
const none = (text: string): string => (text.startsWith('-') ? '0' : text)

const jruby = no('Ruby code of modules runs in a WebAssembly interpreter, without JRuby and its gems')
const threads = no('connections need no threads; compile_workers sets the number of concurrent compilations')
const tls = no('Node.js provides TLS 1.2 and newer; NODE_OPTIONS=--tls-cipher-list=… changes the cipher list')
const byRules = no('access is controlled by auth.conf only')
const telemetry = no('no telemetry is sent')
const plain = no(
  'nodes are served over TLS only; puppetdb_plain_port and metrics_plain_port serve this machine without TLS',
)
const stores = no('certificates and keys are PEM files, not Java keystores')

/**
 * Keys in Puppet Server's conf.d, by section, from the documentation and the code of Puppet Server
 * 7.9 and 8. For some sections, one meaning applies to all keys.
 */
export const serverKeys: Readonly<Record<string, Meaning | Readonly<Record<string, Meaning>>>> = {
  'jruby-puppet': {
    'server-conf-dir': to('confdir'),
    'server-code-dir': to('codedir'),
    'server-var-dir': to('vardir'),
    'server-run-dir': to('rundir'),
    'server-log-dir': to('logdir'),
    'master-conf-dir': to('confdir'),
    'master-code-dir': to('codedir'),
    'master-var-dir': to('vardir'),
    'master-run-dir': to('rundir'),
    'master-log-dir': to('logdir'),
    'max-active-instances': to('compile_workers'),
    'max-queued-requests': to('max_queued_requests', none),
    'max-retry-delay': to('max_retry_delay', (text) => seconds(none(text))),
    'disable-i18n': no('messages are always in English'),
    'environment-class-cache-enabled': no('responses of environment_classes are always cached by commit'),
    'max-requests-per-instance': no('interpreters need no restart after a number of requests'),
    'borrow-timeout': no('compile_timeout limits a compilation, max_queued_requests the number of waiting requests'),
    'splay-instance-flush': jruby,
    'ruby-load-path': jruby,
    'gem-home': jruby,
    'gem-path': jruby,
    'environment-vars': jruby,
    'compile-mode': jruby,
    'compat-version': jruby,
    'profiling-mode': jruby,
    'profiler-output-file': jruby,
    multithreaded: jruby,
    'use-legacy-auth-conf': no('only auth.conf in HOCON is read, not the auth.conf of Puppet 3'),
    'track-lookups': no("'plumb lookup --explain' and 'plumb catalog explain' show lookups"),
    'boltlib-path': no('the server does not run plans'),
  },
  'http-client': {
    'connect-timeout-milliseconds': to('http_connect_timeout', ofMilliseconds),
    'idle-timeout-milliseconds': to('http_read_timeout', ofMilliseconds),
    'ssl-protocols': tls,
    'cipher-suites': tls,
    'enable-url-metrics': no('outgoing requests are not counted by URL'),
    'metrics-enabled': no('outgoing requests are not counted by URL'),
  },
  profiler: { enabled: no("'plumb catalog explain' and the status endpoint show durations") },
  'puppet-admin': { 'client-whitelist': byRules, 'authorization-required': byRules },
  dropsonde: telemetry,
  product: telemetry,
  'versioned-code': {
    'code-id-command': to('code_id_command'),
    'code-content-command': to('code_content_command'),
  },
  'certificate-authority': {
    'allow-subject-alt-names': to('allow-subject-alt-names'),
    'allow-authorization-extensions': to('allow-authorization-extensions'),
    'allow-auto-renewal': to('allow-auto-renewal'),
    'auto-renewal-cert-ttl': to('auto-renewal-cert-ttl'),
    'enable-infra-crl': to('enable-infra-crl'),
    'certificate-status': byRules,
    'access-control': byRules,
    'proxy-config': no('the CA runs in this process, or clients connect to it directly'),
  },
  webserver: {
    'ssl-host': to('bindaddress'),
    'ssl-port': to('serverport'),
    'ssl-cert': to('hostcert'),
    'ssl-key': to('hostprivkey'),
    'ssl-ca-cert': to('localcacert'),
    'ssl-crl-path': to('hostcrl'),
    'ssl-cert-chain': no('hostcert may contain the chain, with the server certificate first'),
    'client-auth': no('client certificates are requested; auth.conf decides which requests need one'),
    'access-log-config': no('it configures Logback; set access_log and access_log_format instead'),
    'ssl-protocols': tls,
    'cipher-suites': tls,
    'allow-renegotiation': tls,
    'sni-required': tls,
    'sni-host-check': tls,
    host: plain,
    port: plain,
    keystore: stores,
    'key-password': stores,
    truststore: stores,
    'trust-password': stores,
    'max-threads': threads,
    'selector-threads': threads,
    'acceptor-threads': threads,
    'ssl-selector-threads': threads,
    'ssl-acceptor-threads': threads,
    'queue-max-size': threads,
    'so-linger-seconds': threads,
    'request-header-max-size': no('see docs/budgets.md for the limits of headers'),
    'request-body-max-size': no('see docs/budgets.md for the limits of bodies'),
    'idle-timeout-milliseconds': no('see docs/budgets.md for the limits of idle connections'),
    'shutdown-timeout-seconds': no('requests in progress have 30 seconds to finish, the default of Puppet Server'),
    'post-config-script': no('it is Java code for Jetty'),
    'gzip-enable': no('responses are compressed for clients that accept it'),
    'jmx-enable': no('there is no Java process; metrics are at /metrics'),
    'static-content': no('only the API and the console are served'),
    'reverse-proxy-proxies': no('requests are not forwarded to other servers'),
    'default-server': no('there is only one server'),
  },
  global: {
    'logging-config': no('it configures Logback; set logdest and log_level instead'),
    hostname: no('the host name is that of certname'),
  },
  metrics: {
    'server-id': to('metrics_server_id'),
    registries: no('all metrics are at /metrics and /metrics/v2; none are sent'),
    reporters: no('no metrics are sent; they are at /metrics and /metrics/v2'),
    'metrics-webservice': no('auth.conf controls access to /metrics/v2'),
  },
  'web-router-service': no('URLs are fixed'),
  nrepl: no('there is no Clojure process'),
}
