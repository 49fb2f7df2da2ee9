import { expect, it } from 'vitest'
import { zfs, zpool } from '../../../../src/node/facts/core/zfs.ts'
import { recordedMachine } from '../../../support/recorded-machine.ts'

// Real OpenFact 5.7.0 gives these facts for these words of the programs.
const filesystems = `The following filesystem versions are supported:

VER  DESCRIPTION
---  --------------------------------------------------------
 1   Initial ZFS filesystem version
 2   Enhanced directory entries
 5   System attributes
`
const pools = `This system supports ZFS pool feature flags.

The following features are supported:

FEAT DESCRIPTION
-------------------------------------------------------------
async_destroy                         (read-only compatible)
     Destroy filesystems asynchronously.
lz4_compress
     LZ4 compression algorithm support.

The following legacy versions are also supported:

VER  DESCRIPTION
---  --------------------------------------------------------
 1   Initial ZFS version
 28  Multiple vdev replacements
`

it('has the versions of ZFS', async () => {
  const machine = recordedMachine({ outputs: { 'zfs upgrade -v': filesystems, 'zpool upgrade -v': pools } })
  expect(await zfs.find(machine)).toEqual({ zfs_version: '5', zfs_featurenumbers: '1,2,5' })
  expect(await zpool.find(machine)).toEqual({
    zpool_version: '5000',
    zpool_featurenumbers: '1,28',
    zpool_featureflags: 'async_destroy,lz4_compress',
  })
})

it('has no versions without the programs', async () => {
  const machine = recordedMachine({})
  expect(await zfs.find(machine)).toEqual({})
  expect(await zpool.find(machine)).toEqual({})
})
