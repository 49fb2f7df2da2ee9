import { defineIssues } from '../../base/issue.ts'

/** Errors reported by a migration. */
export const migrationIssues = defineIssues({
  NO_PUPPET_SERVER: {
    text: (a: { folder: string }) => `Could not find the configuration of a Puppet Server in ${a.folder}`,
    hint: () => 'Name its conf.d directory with --conf-d, and the directory of its puppet.conf with --puppet-confdir.',
  },
  NO_AUTHORITY: {
    text: (a: { cadir: string }) => `Could not find a CA in ${a.cadir}`,
    hint: () => 'Name the CA directory with --puppet-cadir, or use --without ca if the CA is on another machine.',
  },
  PUPPET_SERVER_RUNS: {
    text: (a: { what: string }) => `A Puppet Server is running with these directories: ${a.what}`,
    hint: () => "Run 'systemctl stop puppetserver' first: two running CAs would issue duplicate serial numbers.",
  },
  SERVER_RUNS: {
    text: (a: { socket: string }) => `A Plumbline server is running (${a.socket})`,
    hint: () => "Run 'systemctl stop plumb-server' first.",
  },
  SAME_FOLDER: {
    text: (a: { path: string }) => `${a.path} is both the source and the destination of the migration`,
    hint: () =>
      'No migration is needed: called by the name puppetserver, this program uses these directories in place.',
  },
  MIGRATION_BEGUN: {
    text: (a: { journal: string; state: string }) =>
      a.state === 'applied'
        ? `A migration has already been applied (${a.journal})`
        : `A migration was interrupted (${a.journal})`,
    hint: () => "Undo its changes with 'plumb migrate puppetserver --undo'.",
  },
  NOTHING_TO_UNDO: {
    text: (a: { journal: string }) => `Nothing to undo: ${a.journal} does not exist`,
  },
  JOURNAL_UNREADABLE: {
    text: (a: { journal: string; why: string }) => `Could not read ${a.journal}: ${a.why}`,
    hint: () => 'The previous version of each file is next to it, with the suffix .before-migration.',
  },
  FACTS_FILE_UNREADABLE: {
    text: (a: { file: string; why: string }) => `Could not read facts from ${a.file}: ${a.why}`,
  },
  IMPORT_FAILED: { text: (a: { why: string }) => `Could not import the code to a repository: ${a.why}` },
})
