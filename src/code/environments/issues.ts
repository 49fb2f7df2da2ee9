import { defineIssues } from '../../base/issue.ts'

/** Reasons why the commit of a branch is not served, or not served yet. */
export const environmentIssues = defineIssues({
  TOO_MANY_ENVIRONMENTS: {
    text: (a: { most: number }) => `The limit of ${a.most} environments is reached`,
    hint: () => 'Delete unused branches, or increase max_environments on the server.',
  },
  BROKEN_REF: { text: (a: { ref: string; why: string }) => `The ref ${a.ref} is damaged: ${a.why}` },
  CODE_BROKEN: {
    text: (a: { first: string; more: number }) =>
      `${a.first}${a.more === 0 ? '' : `, and ${a.more} more ${a.more === 1 ? 'error' : 'errors'}`}`,
    hint: () => "Run 'plumb code check REF' to print all errors. The hooks print them during a push.",
  },
  NOT_CHECKED: {
    text: (a: { commit: string; why: string }) => `The code of commit ${a.commit} could not be checked: ${a.why}`,
  },
  GATE_WAITS: {
    text: (_: object) => 'It was pushed without the hooks; the gate is compiling the catalogs of the nodes',
  },
  GATE_REFUSED: {
    text: (a: { environment: string; why: string }) =>
      `The gate rejected it: ${a.why} ('plumb code deploy --skip-gate ${a.environment}' deploys it anyway)`,
  },
  GATE_FAILED: {
    text: (a: { why: string }) =>
      `It was pushed without the hooks, and the gate could not compile the catalogs of the nodes: ${a.why}`,
  },
  DEPLOY_WAITS: {
    text: (_: object) => 'The modules of its Puppetfile are being fetched',
  },
  NOT_ASSIGNED: {
    text: (a: { commit: string; why: string }) =>
      `Could not decide which nodes receive the commit ${a.commit}: ${a.why}`,
  },
  NOT_DEPLOYED: {
    text: (a: { why: string }) => a.why,
  },
  PUPPETFILE_IGNORED: {
    text: (_: object) => 'The Puppetfile is ignored: none of its modules are fetched',
    hint: () =>
      "Set 'puppetfile = deploy' to fetch the modules. Otherwise, commit the modules to modules/ in the branch (with 'r10k puppetfile install' or git subtree), or install them in a directory of basemodulepath on the server.",
  },
  LOAD_TOOK_TOO_LONG: {
    text: (a: { commit: string; seconds: number }) => `The commit ${a.commit} was not loaded within ${a.seconds} s`,
    hint: () => 'Increase environment_load_timeout if the commit needs more time.',
  },
  SERVED_TOO_MUCH: {
    text: (a: { commit: string; what: 'files' | 'bytes'; most: number }) =>
      `With the commit ${a.commit}, all environments together would exceed ${a.most} ${a.what}`,
    hint: (a) => `Delete unused branches, or increase max_served_${a.what} on the server.`,
  },
})
