import { duration, oneOf } from '../kinds.ts'

/** Deploying: what becomes of a branch's Puppetfile. */
export const puppetfile = {
  puppetfile: oneOf(
    'deploy',
    'ignore',
  )({
    default: 'deploy',
    doc: 'What becomes of a Puppetfile: deploy fetches its modules and serves one commit that has them; ignore does not read it.',
  }),
  puppetfile_timeout: duration({
    default: '5m',
    doc: 'How long the modules of one Puppetfile may take. After that the push is refused, or the environment stays as it was.',
  }),
  puppetfile_interval: duration({
    default: '0',
    doc: 'How often branches, `latest` and ranges of a Puppetfile are looked at again without being asked for; 0 for never: `plumb code update` does it.',
  }),
} as const
