import { getOwnValue } from '../../../base/own-property.ts'
import { settingDefinitions } from '../definitions/index.ts'

/** The equivalent of a Puppet Server key: a setting, or the reason why the key has no effect. */
export type KeyMeaning =
  | {
      readonly setting: keyof typeof settingDefinitions
      /** Converts the value's text to the setting's text, if the two formats differ. */
      readonly convert?: (text: string) => string
    }
  | { readonly without: string }

const mapToSetting = (
  setting: keyof typeof settingDefinitions,
  convert = settingDefinitions[setting].kind.flag ? toFlagText : undefined,
): KeyMeaning => (convert === undefined ? { setting } : { setting, convert })

/** Words for booleans in HOCON, with the equivalent words in puppet.conf. */
const flagWords: Readonly<Record<string, string>> = { yes: 'true', on: 'true', no: 'false', off: 'false' }
function toFlagText(text: string): string {
  return getOwnValue(flagWords, text) ?? text
}
const declareUnsupported = (without: string): KeyMeaning => ({ without })

const toSeconds = (text: string): string => (/^\d+$/.test(text) ? `${text}s` : text)
const convertMilliseconds = (text: string): string => (/^\d+$/.test(text) ? `${Math.ceil(Number(text) / 1000)}s` : text)
/** Converts a negative number to 0. Puppet Server disables max-retry-delay and similar keys with a negative number. */
const clampNegative = (text: string): string => (text.startsWith('-') ? '0' : text)

const jruby = declareUnsupported('Ruby code of modules runs in a WebAssembly interpreter, without JRuby and its gems')
const threads = declareUnsupported(
  'connections need no threads; compile_workers sets the number of concurrent compilations',
)
const tls = declareUnsupported(
  'Node.js provides TLS 1.2 and newer; NODE_OPTIONS=--tls-cipher-list=… changes the cipher list',
)
const byRules = declareUnsupported('access is controlled by auth.conf only')
const telemetry = declareUnsupported('no telemetry is sent')
const plain = declareUnsupported(
  'nodes are served over TLS only; puppetdb_plain_port and metrics_plain_port serve this machine without TLS',
)
const stores = declareUnsupported('certificates and keys are PEM files, not Java keystores')

/**
 * Keys in Puppet Server's conf.d, by section, from the documentation and the code of Puppet Server
 * 7.9 and 8. For some sections, one meaning applies to all keys.
 */
export const serverKeys: Readonly<Record<string, KeyMeaning | Readonly<Record<string, KeyMeaning>>>> = {
  'jruby-puppet': {
    'server-conf-dir': mapToSetting('confdir'),
    'server-code-dir': mapToSetting('codedir'),
    'server-var-dir': mapToSetting('vardir'),
    'server-run-dir': mapToSetting('rundir'),
    'server-log-dir': mapToSetting('logdir'),
    'master-conf-dir': mapToSetting('confdir'),
    'master-code-dir': mapToSetting('codedir'),
    'master-var-dir': mapToSetting('vardir'),
    'master-run-dir': mapToSetting('rundir'),
    'master-log-dir': mapToSetting('logdir'),
    'max-active-instances': mapToSetting('compile_workers'),
    'max-queued-requests': mapToSetting('max_queued_requests', clampNegative),
    'max-retry-delay': mapToSetting('max_retry_delay', (text) => toSeconds(clampNegative(text))),
    'disable-i18n': declareUnsupported('messages are always in English'),
    'environment-class-cache-enabled': declareUnsupported(
      'responses of environment_classes are always cached by commit',
    ),
    'max-requests-per-instance': declareUnsupported('interpreters need no restart after a number of requests'),
    'borrow-timeout': declareUnsupported(
      'compile_timeout limits a compilation, max_queued_requests the number of waiting requests',
    ),
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
    'use-legacy-auth-conf': declareUnsupported('only auth.conf in HOCON is read, not the auth.conf of Puppet 3'),
    'track-lookups': declareUnsupported("'plumb lookup --explain' and 'plumb catalog explain' show lookups"),
    'boltlib-path': declareUnsupported('the server does not run plans'),
  },
  'http-client': {
    'connect-timeout-milliseconds': mapToSetting('http_connect_timeout', convertMilliseconds),
    'idle-timeout-milliseconds': mapToSetting('http_read_timeout', convertMilliseconds),
    'ssl-protocols': tls,
    'cipher-suites': tls,
    'enable-url-metrics': declareUnsupported('outgoing requests are not counted by URL'),
    'metrics-enabled': declareUnsupported('outgoing requests are not counted by URL'),
  },
  profiler: { enabled: declareUnsupported("'plumb catalog compile --profile' and the status endpoint show durations") },
  'puppet-admin': { 'client-whitelist': byRules, 'authorization-required': byRules },
  dropsonde: telemetry,
  product: telemetry,
  'versioned-code': {
    'code-id-command': mapToSetting('code_id_command'),
    'code-content-command': mapToSetting('code_content_command'),
  },
  'certificate-authority': {
    'allow-subject-alt-names': mapToSetting('allow-subject-alt-names'),
    'allow-authorization-extensions': mapToSetting('allow-authorization-extensions'),
    'allow-auto-renewal': mapToSetting('allow-auto-renewal'),
    'auto-renewal-cert-ttl': mapToSetting('auto-renewal-cert-ttl'),
    'enable-infra-crl': mapToSetting('enable-infra-crl'),
    'certificate-status': byRules,
    'access-control': byRules,
    'proxy-config': declareUnsupported('the CA runs in this process, or clients connect to it directly'),
  },
  webserver: {
    'ssl-host': mapToSetting('bindaddress'),
    'ssl-port': mapToSetting('serverport'),
    'ssl-cert': mapToSetting('hostcert'),
    'ssl-key': mapToSetting('hostprivkey'),
    'ssl-ca-cert': mapToSetting('localcacert'),
    'ssl-crl-path': mapToSetting('hostcrl'),
    'ssl-cert-chain': declareUnsupported('hostcert may contain the chain, with the server certificate first'),
    'client-auth': declareUnsupported('client certificates are requested; auth.conf decides which requests need one'),
    'access-log-config': declareUnsupported('it configures Logback; set access_log and access_log_format instead'),
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
    'request-header-max-size': declareUnsupported('see docs/budgets.md for the limits of headers'),
    'request-body-max-size': declareUnsupported('see docs/budgets.md for the limits of bodies'),
    'idle-timeout-milliseconds': declareUnsupported('see docs/budgets.md for the limits of idle connections'),
    'shutdown-timeout-seconds': declareUnsupported(
      'requests in progress have 30 seconds to finish, the default of Puppet Server',
    ),
    'post-config-script': declareUnsupported('it is Java code for Jetty'),
    'gzip-enable': declareUnsupported('responses are compressed for clients that accept it'),
    'jmx-enable': declareUnsupported('there is no Java process; metrics are at /metrics'),
    'static-content': declareUnsupported('only the API and the console are served'),
    'reverse-proxy-proxies': declareUnsupported('requests are not forwarded to other servers'),
    'default-server': declareUnsupported('there is only one server'),
  },
  global: {
    'logging-config': declareUnsupported('it configures Logback; set logdest and log_level instead'),
    hostname: declareUnsupported('the host name is that of certname'),
  },
  metrics: {
    'server-id': mapToSetting('metrics_server_id'),
    registries: declareUnsupported('all metrics are at /metrics and /metrics/v2; none are sent'),
    reporters: declareUnsupported('no metrics are sent; they are at /metrics and /metrics/v2'),
    'metrics-webservice': declareUnsupported('auth.conf controls access to /metrics/v2'),
  },
  'web-router-service': declareUnsupported('URLs are fixed'),
  nrepl: declareUnsupported('there is no Clojure process'),
}
