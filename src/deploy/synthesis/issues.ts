import { defineIssues } from '../../base/issue.ts'
import { printable } from '../../base/text/printable.ts'

const hintOfLock = "'plumb code lock' writes one that fits; commit it beside the Puppetfile."

/** Errors of putting modules into a commit. */
export const synthesisIssues = defineIssues({
  MODULE_IN_THE_WAY: {
    text: (a: { module: string; path: string; there: string; kind: string }) =>
      `The module ${printable(a.module)} cannot be put at ${printable(a.path)}: ${printable(a.there)} is a ${a.kind} of the branch`,
    hint: () => 'Take it out of the branch, or give the module another place with :install_path.',
  },
  MODULES_AT_ONE_PLACE: {
    text: (a: { module: string; path: string; other: string }) =>
      `The module ${printable(a.module)} cannot be put at ${printable(a.path)}: the module ${printable(a.other)} is there`,
    hint: () => 'Each module has a folder of its own, and none is inside of another.',
  },
  MODULE_NO_PLACE: {
    text: (a: { module: string; path: string }) =>
      `The module ${printable(a.module)} cannot be put at ${printable(a.path)}: that is no folder of the environment`,
  },
  LOCK_UNREADABLE: {
    text: (a: { why: string }) => `The Puppetfile.lock cannot be read: ${a.why}`,
    hint: () => hintOfLock,
  },
  LOCK_LACKS_MODULE: {
    text: (a: { module: string }) =>
      `The Puppetfile.lock does not fit the Puppetfile: it has no module ${printable(a.module)}`,
    hint: () => hintOfLock,
  },
  LOCK_OTHER_MODULE: {
    text: (a: { module: string; locked: string; declared: string }) =>
      `The Puppetfile.lock does not fit the Puppetfile: it has the module ${printable(a.module)} from '${printable(a.locked)}', not from '${printable(a.declared)}'`,
    hint: () => hintOfLock,
  },
  LOCK_UNNAMED_MODULE: {
    text: (a: { module: string }) =>
      `The Puppetfile.lock does not fit the Puppetfile, which does not name the module ${printable(a.module)}`,
    hint: () => hintOfLock,
  },
  LOCK_OTHER_TREE: {
    text: (a: { module: string; locked: string; tree: string }) =>
      `The module ${printable(a.module)} has the tree ${a.tree}, and the Puppetfile.lock says ${a.locked}`,
    hint: () =>
      'Somebody changed what stands for it: a tag was moved, or a release was replaced. Look at it before you lock it anew.',
  },
  UNKNOWN_MODULES: {
    text: (a: { names: readonly string[] }) =>
      `The Puppetfile names no module ${a.names.map((name) => printable(name)).join(', ')}`,
  },
  HELD_BY_LOCK: {
    text: (a: { environment: string }) =>
      `The modules of environment ${a.environment} are held by the Puppetfile.lock of its branch`,
    hint: () => "'plumb code lock --anew' writes another one; commit it, and push.",
  },
  COMMIT_UNREADABLE: { text: (a: { commit: string }) => `The commit ${a.commit} cannot be read` },
  DEPLOY_TOOK_TOO_LONG: {
    text: (a: { seconds: number }) => `The modules of the Puppetfile were not there within ${a.seconds} s`,
    hint: () => 'The setting puppetfile_timeout says how long it may take.',
  },
})
