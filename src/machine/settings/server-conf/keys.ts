import { ownValue } from '../../../base/own-value.ts'
import { definitions } from '../definitions/index.ts'

/** The meaning that a key of Puppet Server's configuration has here: a setting of ours, or nothing, with the reason. */
export type Meaning =
  | {
      readonly setting: keyof typeof definitions
      /** The value's text as that of the setting, where the unit differs. */
      readonly convert?: (text: string) => string
    }
  | { readonly without: string }

const to = (
  setting: keyof typeof definitions,
  convert = definitions[setting].kind.flag ? flagText : undefined,
): Meaning => (convert === undefined ? { setting } : { setting, convert })

/** Words for a flag in HOCON, with those of puppet.conf. */
const flagWords: Readonly<Record<string, string>> = { yes: 'true', on: 'true', no: 'false', off: 'false' }
function flagText(text: string): string {
  return ownValue(flagWords, text) ?? text
}
const no = (without: string): Meaning => ({ without })

const seconds = (text: string): string => (/^\d+$/.test(text) ? `${text}s` : text)
const ofMilliseconds = (text: string): string => (/^\d+$/.test(text) ? `${Math.ceil(Number(text) / 1000)}s` : text)
/** Puppet Server: negative numbers of max-retry-delay and its kin mean none. */
const none = (text: string): string => (text.startsWith('-') ? '0' : text)

const jruby = no('modules’ Ruby runs in an interpreter of its own, without JRuby and its gems')
const threads = no('connections need no threads; compile_workers is how many catalogs are compiled at once')
const tls = no(
  'TLS is that of Node.js, 1.2 and newer; its list of ciphers is changed by NODE_OPTIONS=--tls-cipher-list=…',
)
const byRules = no('auth.conf alone decides who may ask')
const telemetry = no('nothing is reported to anybody')
const plain = no(
  'nodes are served with TLS alone; puppetdb_plain_port and metrics_plain_port are for this machine, without it',
)
const stores = no('certificates and keys are PEM files, not Java’s stores')

/**
 * Keys of Puppet Server's conf.d by section, as its documentation and its code have them (7.9 and 8). A section that is a
 * meaning has none of its keys looked at.
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
    'disable-i18n': no('messages are in English in any case'),
    'environment-class-cache-enabled': no('answers of environment_classes are kept by commit, always'),
    'max-requests-per-instance': no('no interpreter has to be thrown away'),
    'borrow-timeout': no('compile_timeout bounds a catalog, max_queued_requests those who wait'),
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
    'use-legacy-auth-conf': no('rules are those of auth.conf in HOCON; Puppet 3’s file is not read'),
    'track-lookups': no("'plumb lookup --explain' and 'plumb catalog explain' say what was looked up"),
    'boltlib-path': no('plans are not run by this server'),
  },
  'http-client': {
    'connect-timeout-milliseconds': to('http_connect_timeout', ofMilliseconds),
    'idle-timeout-milliseconds': to('http_read_timeout', ofMilliseconds),
    'ssl-protocols': tls,
    'cipher-suites': tls,
    'enable-url-metrics': no('requests of the server are not counted by address'),
    'metrics-enabled': no('requests of the server are not counted by address'),
  },
  profiler: { enabled: no("'plumb catalog explain' and the times in the status say where time goes") },
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
    'proxy-config': no('the authority is in this process, or clients ask it themselves'),
  },
  webserver: {
    'ssl-host': to('bindaddress'),
    'ssl-port': to('serverport'),
    'ssl-cert': to('hostcert'),
    'ssl-key': to('hostprivkey'),
    'ssl-ca-cert': to('localcacert'),
    'ssl-crl-path': to('hostcrl'),
    'ssl-cert-chain': no('hostcert may hold the chain, the own certificate first'),
    'client-auth': no('a certificate is asked for, and auth.conf decides what may be had without one'),
    'access-log-config': no(
      'it is Logback’s; access_log and access_log_format say where a line for each request goes, and its form',
    ),
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
    'request-header-max-size': no('headers are bounded as docs/budgets.md says'),
    'request-body-max-size': no('bodies are bounded as docs/budgets.md says'),
    'idle-timeout-milliseconds': no('idle connections are bounded as docs/budgets.md says'),
    'shutdown-timeout-seconds': no('requests under way have 30 seconds, as they have there unless that is changed'),
    'post-config-script': no('it is Java, for Jetty'),
    'gzip-enable': no('answers are compressed for clients that take that'),
    'jmx-enable': no('there is no Java; metrics are at /metrics'),
    'static-content': no('nothing but the API and the pages is served'),
    'reverse-proxy-proxies': no('nothing is handed on to other servers'),
    'default-server': no('there is one server'),
  },
  global: {
    'logging-config': no('it is Logback’s; logdest and log_level say where the log goes and how much'),
    hostname: no('the name is certname'),
  },
  metrics: {
    'server-id': to('metrics_server_id'),
    registries: no('all figures are there, at /metrics and /metrics/v2, and nothing sends them'),
    reporters: no('nothing sends figures; they are at /metrics and /metrics/v2'),
    'metrics-webservice': no('auth.conf decides who may ask for /metrics/v2'),
  },
  'web-router-service': no('addresses are fixed'),
  nrepl: no('there is no Clojure to talk to'),
}
