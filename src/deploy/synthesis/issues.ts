import { defineIssues } from '../../base/issue.ts'
import { toPrintable } from '../../base/text/printable.ts'

const hintOfLock = "Run 'plumb code lock', and commit its output next to the Puppetfile."

/** Errors reported when modules are added to a commit. */
export const synthesisIssues = defineIssues({
  MODULE_IN_THE_WAY: {
    text: (a: { module: string; path: string; there: string; kind: string }) =>
      `Could not add the module ${toPrintable(a.module)} at ${toPrintable(a.path)}: ${toPrintable(a.there)} is a ${a.kind} in the branch`,
    hint: () => 'Remove it from the branch, or set another path for the module with :install_path.',
  },
  MODULES_AT_ONE_PLACE: {
    text: (a: { module: string; path: string; other: string }) =>
      `Could not add the module ${toPrintable(a.module)} at ${toPrintable(a.path)}: the module ${toPrintable(a.other)} is already at that path`,
    hint: () => 'Each module needs its own directory outside of other modules.',
  },
  MODULE_NO_PLACE: {
    text: (a: { module: string; path: string }) =>
      `Could not add the module ${toPrintable(a.module)} at ${toPrintable(a.path)}: the path is not a directory in the environment`,
  },
  LOCK_UNREADABLE: {
    text: (a: { why: string }) => `Could not read the Puppetfile.lock: ${a.why}`,
    hint: () => hintOfLock,
  },
  LOCK_LACKS_MODULE: {
    text: (a: { module: string }) =>
      `The Puppetfile.lock does not match the Puppetfile: it lacks the module ${toPrintable(a.module)}`,
    hint: () => hintOfLock,
  },
  LOCK_OTHER_MODULE: {
    text: (a: { module: string; locked: string; declared: string }) =>
      `The Puppetfile.lock does not match the Puppetfile: it has the module ${toPrintable(a.module)} from '${toPrintable(a.locked)}', not from '${toPrintable(a.declared)}'`,
    hint: () => hintOfLock,
  },
  LOCK_UNNAMED_MODULE: {
    text: (a: { module: string }) =>
      `The Puppetfile.lock does not match the Puppetfile, which does not name the module ${toPrintable(a.module)}`,
    hint: () => hintOfLock,
  },
  LOCK_OTHER_TREE: {
    text: (a: { module: string; locked: string; tree: string }) =>
      `The module ${toPrintable(a.module)} has the tree ${a.tree}, but the Puppetfile.lock has ${a.locked}`,
    hint: () => 'A tag was moved or a release was replaced. Review the change before you write a new Puppetfile.lock.',
  },
  UNKNOWN_MODULES: {
    text: (a: { names: readonly string[] }) =>
      `The Puppetfile names no module ${a.names.map((name) => toPrintable(name)).join(', ')}`,
  },
  COMMIT_UNREADABLE: { text: (a: { commit: string }) => `Could not read the commit ${a.commit}` },
  DEPLOY_TOOK_TOO_LONG: {
    text: (a: { seconds: number }) => `Fetching the modules of the Puppetfile took longer than ${a.seconds} seconds`,
    hint: () => 'Increase the setting puppetfile_timeout of the server.',
  },
})
