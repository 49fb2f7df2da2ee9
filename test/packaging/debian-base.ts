import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** A Debian 12 that `npm run site` has made once. */
const madeBefore = '/var/cache/plumb-site/base'

/** The root of a minimal Debian 12 with git, not to be changed; made in a folder where there is none yet. */
export function debianBase(folder: string): string {
  if (existsSync(madeBefore)) return madeBefore
  const base = join(folder, 'base')
  execFileSync('debootstrap', ['--variant=minbase', '--include=git,iproute2', 'bookworm', base], { stdio: 'ignore' })
  return base
}
