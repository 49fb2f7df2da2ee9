import { describe, expect, it } from 'vitest'
import { checkBundleAge, recordBundle } from '../../../src/deploy/bundle/bundle-record.ts'
import type { VerifiedBundle } from '../../../src/deploy/bundle/unpacked-bundle.ts'
import { localFiles } from '../../../src/machine/system/files.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { manifest } from './packed-bundle.ts'

/** A bundle of an environment with the times of its newest commit and of its signature, as days of January. */
interface Age {
  readonly name?: string
  readonly created: number
  readonly signed?: number
}

const toTime = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString()

function bundleOf({ name = 'production', created, signed }: Age): VerifiedBundle {
  const environments = manifest.environments.map((each) => ({ ...each, name }))
  return {
    manifest: { ...manifest, created: toTime(created), environments },
    signature: signed === undefined ? undefined : { signer: 'a', time: toTime(signed) },
  }
}

/** Records the first bundle and checks the second: applied to one node, or imported. */
async function compareAges(use: 'applied' | 'imported', first: Age, second: Age): Promise<string> {
  const folder = scratchFolder('record')
  const toUse = ({ manifest: { environments } }: VerifiedBundle) => ({
    ...{ use, folder, files: localFiles },
    environments: new Map(environments.map((each) => [use === 'applied' ? 'web1.test' : each.name, each])),
  })
  const [one, other] = [bundleOf(first), bundleOf(second)]
  await recordBundle(one, toUse(one))
  return checkBundleAge(other, toUse(other)).then(
    () => 'accepted',
    (error: Error) => error.message,
  )
}

describe('the age of a bundle', () => {
  it.each<[string, Age, Age, boolean]>([
    ['the same bundle', { created: 2, signed: 3 }, { created: 2, signed: 3 }, true],
    ['a later signature', { created: 2, signed: 3 }, { created: 2, signed: 4 }, true],
    ['an earlier signature', { created: 2, signed: 3 }, { created: 1, signed: 2 }, false],
    ['a later signature, after a commit from the future', { created: 99, signed: 3 }, { created: 4, signed: 4 }, true],
    ['an earlier signature of a commit from the future', { created: 2, signed: 3 }, { created: 99, signed: 2 }, false],
    ['an older commit without signature', { created: 2 }, { created: 1 }, false],
    ['an older commit without signature, after a signature', { created: 2, signed: 3 }, { created: 1 }, false],
    ['a newer commit, after one without signature', { created: 2 }, { created: 3, signed: 1 }, true],
  ])('is decided for %s', async (_, first, second, isAccepted) => {
    const older = expect.stringContaining('The bundle is older than the code of environment production')
    expect(await compareAges('imported', first, second)).toEqual(isAccepted ? 'accepted' : older)
  })

  it('is one of the node for applied catalogs, and one of the environment for imported code', async () => {
    const [first, second] = [
      { name: 'production', created: 2, signed: 3 },
      { name: 'testing', created: 1, signed: 1 },
    ]
    expect(await compareAges('applied', first, second)).toContain('The bundle is older')
    expect(await compareAges('imported', first, second)).toBe('accepted')
  })
})
