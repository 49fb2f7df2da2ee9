import { defineChoice, defineDuration } from '../kinds.ts'

/** Settings for the deployment of a branch's Puppetfile. */
export const puppetfileSettings = {
  puppetfile: defineChoice(
    'deploy',
    'ignore',
  )({
    default: 'deploy',
    doc: 'Handling of Puppetfiles: `deploy` fetches the modules and serves them with the branch as one commit; `ignore` does not read Puppetfiles.',
  }),
  puppetfile_timeout: defineDuration({
    default: '5m',
    doc: 'Maximum time to fetch the modules of one Puppetfile. When the limit is reached, the push is rejected, or the environment keeps its current commit.',
  }),
  puppetfile_interval: defineDuration({
    default: '0',
    doc: 'Interval between checks for new versions of modules that a Puppetfile specifies as a branch, `latest` or a version range; 0 disables these checks. `plumb code update` checks on request.',
  }),
} as const
