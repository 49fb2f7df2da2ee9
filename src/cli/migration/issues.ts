import { defineIssues } from '../../base/issue.ts'

/** Reasons against a migration, or for ending it. */
export const migrationIssues = defineIssues({
  NO_PUPPET_SERVER: {
    text: (a: { folder: string }) => `There is no Puppet Server's configuration in ${a.folder}`,
    hint: () => 'Name its folder conf.d with --conf-d, and that of puppet.conf with --puppet-confdir.',
  },
  NO_AUTHORITY: {
    text: (a: { cadir: string }) => `There is no authority in ${a.cadir}`,
    hint: () =>
      'Name its folder with --puppet-cadir; --without ca leaves it out, where the authority is another machine’s.',
  },
  PUPPET_SERVER_RUNS: {
    text: (a: { what: string }) => `A Puppet Server runs on these folders: ${a.what}`,
    hint: () => "Two authorities would give two certificates one serial number. 'systemctl stop puppetserver' first.",
  },
  SERVER_RUNS: {
    text: (a: { socket: string }) => `A server of ours runs here; it answers at ${a.socket}`,
    hint: () => "End it first: 'systemctl stop plumb-server'.",
  },
  SAME_FOLDER: {
    text: (a: { path: string }) => `${a.path} is a folder of the Puppet Server, and the one to copy it to`,
    hint: () =>
      'Nothing has to be moved there: called by the name puppetserver, this program takes those folders as they are.',
  },
  MIGRATION_BEGUN: {
    text: (a: { journal: string; state: string }) =>
      a.state === 'applied'
        ? `All is moved here already, says ${a.journal}`
        : `A migration was begun and did not end, says ${a.journal}`,
    hint: () => "'plumb migrate puppetserver --undo' puts back all that it changed.",
  },
  NOTHING_TO_UNDO: {
    text: (a: { journal: string }) => `Nothing was moved here: there is no ${a.journal}`,
  },
  JOURNAL_UNREADABLE: {
    text: (a: { journal: string; why: string }) => `${a.journal} cannot be read: ${a.why}`,
    hint: () => 'What was there before stands beside each file, with .before-migration behind its name.',
  },
  FACTS_FILE_UNREADABLE: { text: (a: { file: string; why: string }) => `${a.file} are no facts: ${a.why}` },
  IMPORT_FAILED: { text: (a: { why: string }) => `The code could not be brought into a repository: ${a.why}` },
})
