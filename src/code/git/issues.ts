import { defineIssues } from '../../base/issue.ts'

/** A file or folder of a repository that this process may not read. */
export interface UnreadablePath {
  readonly path: string
  /** User id of the owner. The mode is in octal; `user` is the user of this process. */
  readonly owner: number | string
  readonly mode: string
  readonly user: string
}

/** Errors about a repository. */
export const gitIssues = defineIssues({
  GIT_NO_REPOSITORY: {
    text: (a: { path: string }) => `There is no Git repository at ${a.path}`,
    hint: () => 'Create one with `git init --bare`, or set another path.',
  },
  GIT_NOT_OPENED: {
    text: (a: { path: string; why: string }) => `The Git repository ${a.path} cannot be opened: ${a.why}`,
    hint: () => "Run 'git fsck' in the repository for details.",
  },
  GIT_FORBIDDEN: {
    text: (a: UnreadablePath) => `Permission denied for ${a.path}, which is needed to read the Git repository`,
    hint: (a) =>
      `User ${a.owner} owns it (mode ${a.mode}); this process runs as user ${a.user}. Make the repository readable for a group of both users ('chmod -R g+rX', and 'git config core.sharedRepository group' for later pushes), or run this command as the owner.`,
  },
  GIT_UNUSABLE: {
    text: (a: { path: string; why: string }) =>
      `The Git repository ${a.path} cannot be read without the git program: ${a.why}`,
    hint: () =>
      'Install git 2.34 or newer (Debian, Ubuntu: apt install git; RHEL, Fedora: dnf install git; Alpine: apk add git)',
  },
  GIT_OBJECT_MISSING: {
    text: (a: { oid: string; path: string }) => `The Git repository ${a.path} has no object ${a.oid}`,
    hint: () => 'The repository may be a shallow or partial clone, or the object was pruned.',
  },
  GIT_OBJECT_CORRUPT: {
    text: (a: { oid: string; why: string }) => `The Git object ${a.oid} cannot be read: ${a.why}`,
    hint: () =>
      "Run 'git fsck' for details. After you delete the object file, push the object again from another repository.",
  },
  GIT_OBJECT_TOO_LARGE: {
    text: (a: { oid: string; size: number; maxBytes: number }) =>
      `The Git object ${a.oid} has ${a.size} bytes, which exceeds the limit of ${a.maxBytes}`,
  },
  GIT_NOT_A_BLOB: { text: (a: { oid: string; type: string }) => `The Git object ${a.oid} is a ${a.type}, not a blob` },
  GIT_BAD_OID: { text: (a: { oid: string }) => `'${a.oid}' is not a Git object ID` },
  GIT_TREE_TOO_LARGE: {
    text: (a: { commit: string; what: string; setting: string | undefined }) => `The commit ${a.commit} ${a.what}`,
    hint: (a) =>
      `Remove files that no node needs${a.setting === undefined ? '.' : `, or increase ${a.setting} on the server.`}`,
  },
  GIT_UNREADABLE: { text: (a: { what: string }) => `Git returned ${a.what} that cannot be read` },
  GIT_NOT_STARTED: {
    text: (a: { why: string }) => `Git could not be started: ${a.why}`,
    hint: () =>
      'The server may have reached its limit of open files or processes (ulimit -n, ulimit -u), or git is not installed.',
  },
  GIT_NOT_SPOOLED: {
    text: (a: { oid: string; why: string }) => `The Git object ${a.oid} could not be written to a file: ${a.why}`,
    hint: () => 'Files larger than 1 MiB are written to vardir before they are sent. Free disk space in vardir.',
  },
  GIT_HISTORY_TOO_LONG: {
    text: (a: { bound: number }) => `There are more than ${a.bound} commits between the two commits`,
  },
  GIT_FAILED: { text: (a: { command: string; why: string }) => `git ${a.command} failed: ${a.why}` },
})
