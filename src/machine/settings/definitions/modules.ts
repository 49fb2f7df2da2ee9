import { budgets } from '../../../base/budgets/budgets.ts'
import { duration, file, integer, text, words } from '../kinds.ts'

/** The places of a Puppetfile's modules, and the means to reach them. */
export const modules = {
  puppetfile_sources: words({
    takes: 'beginnings of addresses',
    default: 'https://forgeapi.puppet.com',
    doc: 'Where modules of a Puppetfile may come from, and nowhere else: beginnings of addresses (https://github.com/acme, ssh://git@git.example.com, git@git.example.com:puppet, /srv/git), and addresses or networks that are not public and that such hosts may have (10.1.0.0/16).',
  }),
  module_repository: text({
    takes: 'the address of a Forge',
    default: 'https://forgeapi.puppet.com',
    doc: 'The Forge that modules come from unless a Puppetfile names another; it need not stand in puppetfile_sources.',
  }),
  forge_token_file: file({ doc: 'A file with the token that module_repository wants, and nobody else is told.' }),
  git_ssh_key: words({
    takes: 'FILE or HOST=FILE',
    doc: 'The private keys with which modules are fetched by ssh: FILE for all hosts, HOST=FILE for one.',
  }),
  git_known_hosts: file({
    doc: 'The keys of ssh hosts (ssh-keyscan prints them). Empty: the known_hosts of the user of the server, and of the machine.',
  }),
  git_token_files: words({
    takes: 'HOST=FILE',
    doc: 'Files with tokens for https hosts of modules: HOST=FILE. Its line is the token, or USER:TOKEN.',
  }),
  module_ca_file: file({
    doc: 'Certificates of authorities (PEM) that hosts of modules are proven by, in place of those of the machine.',
  }),
  module_fetch_timeout: duration({
    default: `${budgets.module.fetchTime.bound / 1000}s`,
    doc: 'How long one talk with a host of modules may take.',
  }),
  max_module_fetch_bytes: integer({
    default: String(budgets.module.fetchedBytes.bound),
    doc: 'How many bytes git may fetch of a module at once.',
  }),
  max_module_archive_bytes: integer({
    default: String(budgets.module.archive.bound),
    doc: 'How many bytes an archive of a module may have.',
  }),
  max_module_bytes: integer({
    default: String(budgets.module.bytes.bound),
    doc: 'How many bytes the files of a module may have together.',
  }),
} as const
