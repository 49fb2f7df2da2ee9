import { throwIssue } from '../../../base/issue.ts'
import type { Hash } from '../../../language/values/hash.ts'
import type { Value } from '../../../language/values/value.ts'
import { secretIssues } from './issues.ts'
import type { KeyFile } from './key-files.ts'

/** Returns the texts of an option that is a text or an array of texts; `undefined` for other values. */
export function listTexts(value: Value): readonly string[] | undefined {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string') ? value : undefined
}

/** Locates the GnuPG home that a level's options name. Throws GPG_NO_HOME, SECRET_KEY_…. */
export function locateGpgHome(options: Hash, { locateKeyFile }: { locateKeyFile(path: string): KeyFile }): KeyFile {
  const home = options.get('gpg_gnupghome')
  return typeof home === 'string' && home !== '' ? locateKeyFile(home) : throwIssue(secretIssues.GPG_NO_HOME, {})
}
