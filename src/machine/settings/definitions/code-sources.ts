import { budgets } from '../../../base/budgets/budgets.ts'
import { duration, file, integer, port, text } from '../kinds.ts'

/** The sources of code, and how they are fetched. */
export const codeSources = {
  code_sources: file({
    doc: 'A file of repositories whose branches are the environments: an r10k.yaml or a g10k.yaml, or with keys of our own. They are fetched on an interval, when somebody asks, and on webhooks.',
  }),
  code_fetch_interval: duration({
    default: '5m',
    doc: 'How often a source of code is fetched that says nothing else; a repository of this machine every five seconds.',
  }),
  code_fetch_timeout: duration({
    default: `${budgets.environment.fetchTime.bound / 1000}s`,
    doc: 'How long one talk with the host of a source may take.',
  }),
  max_code_fetch_bytes: integer({
    default: String(budgets.environment.fetchedBytes.bound),
    doc: 'How many bytes one fetch from a source may bring.',
  }),
  code_pin_ttl: duration({
    default: '30d',
    doc: 'How long a commit is kept from being pruned after it was served last, so that agents can ask for its files; unlimited for ever.',
  }),
  webhook_port: port({
    default: '0',
    doc: 'A port for the webhooks of GitHub, GitLab, Gitea and Bitbucket, which have a source fetched at once; 0 is none.',
  }),
  webhook_bindaddress: text({
    takes: 'an address of this machine',
    default: '127.0.0.1',
    doc: 'The address of that port. Without webhook_cert it is one of the loopback interface, behind a proxy.',
  }),
  webhook_cert: file({
    doc: 'The certificate of that port, with those between it and an authority that Git hosts trust. Without one it is plain HTTP.',
  }),
  webhook_key: file({ doc: 'The private key of webhook_cert.' }),
  webhook_secret: file({
    doc: 'A file with the secret of the webhooks of all sources; the key webhook_secret of a source names another. Its mode is 0600.',
  }),
} as const
