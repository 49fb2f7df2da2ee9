import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where real Puppet's answers are kept: below the home of whoever asks, for they hold what catalogs hold. */
export const defaultCache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'plumb-conformance')
