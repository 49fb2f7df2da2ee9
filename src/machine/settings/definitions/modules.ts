import { budgets } from '../../../base/budgets/budgets.ts'
import { defineDuration, defineFile, defineInteger, defineText, defineWords } from '../kinds.ts'

/** Default value of `puppetfile_sources`. */
export const defaultModuleSources = 'https://forgeapi.puppet.com'

/** Settings for the sources of Puppetfile modules, with their credentials and limits. */
export const moduleSettings = {
  puppetfile_sources: defineWords({
    takes: 'URL prefixes, addresses and networks',
    default: defaultModuleSources,
    doc: 'Allowed sources of Puppetfile modules: URL prefixes (`https://github.com/acme`, `ssh://git@git.example.com`, `git@git.example.com:puppet`, `/srv/git`; `https://` and `ssh://` allow every public host), and private addresses or networks to which these hosts may resolve (`10.1.0.0/16`).',
  }),
  module_repository: defineText({
    takes: 'the URL of a Forge',
    default: 'https://forgeapi.puppet.com',
    doc: 'URL of the Forge for modules whose Puppetfile does not name another Forge. This URL is allowed without an entry in puppetfile_sources.',
  }),
  forge_token_file: defineFile({
    doc: 'File with the API token of module_repository. The token is sent to no other host.',
  }),
  git_ssh_key: defineWords({
    takes: 'FILE or HOST=FILE',
    doc: 'SSH private keys for fetching modules: FILE for all hosts, HOST=FILE for one host.',
  }),
  git_known_hosts: defineFile({
    doc: 'File of SSH host keys, in the format of `ssh-keyscan`. Default: the known_hosts files of the machine and of the user that runs the server.',
  }),
  git_token_files: defineWords({
    takes: 'HOST=FILE',
    doc: 'Files with HTTPS tokens of module hosts, as HOST=FILE. Each file contains TOKEN or USER:TOKEN.',
  }),
  module_ca_file: defineFile({
    doc: 'PEM file of CA certificates that verify module hosts, instead of the CA certificates of the machine.',
  }),
  module_fetch_timeout: defineDuration({
    default: `${budgets.module.fetchTime.bound / 1000}s`,
    doc: 'Timeout of one connection to a module host.',
  }),
  max_module_fetch_bytes: defineInteger({
    default: String(budgets.module.fetchedBytes.bound),
    doc: 'Maximum size of one Git fetch of a module, in bytes.',
  }),
  max_module_archive_bytes: defineInteger({
    default: String(budgets.module.archive.bound),
    doc: 'Maximum size of a module archive, in bytes.',
  }),
  max_module_bytes: defineInteger({
    default: String(budgets.module.bytes.bound),
    doc: 'Maximum total size of the files of a module, in bytes.',
  }),
} as const
