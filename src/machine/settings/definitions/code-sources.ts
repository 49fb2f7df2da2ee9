import { budgets } from '../../../base/budgets/budgets.ts'
import { defineDuration, defineFile, defineInteger, definePort, defineText } from '../kinds.ts'

/** Settings for the Git repositories that contain code, and for their fetches and webhooks. */
export const codeSourceSettings = {
  code_sources: defineFile({
    doc: 'File that lists the Git repositories whose branches are the environments: an r10k.yaml, a g10k.yaml, or a file in the format of Plumbline. The repositories are fetched at an interval, on request, and when a webhook arrives.',
  }),
  code_fetch_interval: defineDuration({
    default: '5m',
    doc: 'Interval between fetches of a code source that does not set its own interval. A repository on this machine is checked every 5 seconds.',
  }),
  code_fetch_timeout: defineDuration({
    default: `${budgets.environment.fetchTime.bound / 1000}s`,
    doc: 'Timeout of one connection to the host of a code source.',
  }),
  max_code_fetch_bytes: defineInteger({
    default: String(budgets.environment.fetchedBytes.bound),
    doc: 'Maximum size of one fetch from a code source, in bytes.',
  }),
  code_pin_ttl: defineDuration({
    default: '30d',
    doc: 'Time that a commit is protected from pruning after it was last served, so that agents can still download its files. `unlimited` protects commits forever.',
  }),
  webhook_port: definePort({
    default: '0',
    doc: 'Port for webhooks of GitHub, GitLab, Gitea and Bitbucket, which trigger a fetch of a code source; 0 disables the port.',
  }),
  webhook_bindaddress: defineText({
    takes: 'an IP address of this machine',
    default: '127.0.0.1',
    doc: 'IP address that webhook_port listens on. Without webhook_cert, this must be a loopback address, behind a reverse proxy.',
  }),
  webhook_cert: defineFile({
    doc: 'File with the certificate chain for webhook_port, up to a CA that the Git hosts trust. If unset, the port uses plain HTTP.',
  }),
  webhook_key: defineFile({ doc: 'Private key of webhook_cert.' }),
  webhook_secret: defineFile({
    doc: 'File with the webhook secret of all code sources, with mode 0600. The key `webhook_secret` of a source overrides this setting.',
  }),
} as const
