import { defineFacts } from '../fact.ts'

/** Versions of the file system ZFS, on Linux as in OpenFact 5. Missing without the program `zfs`. */
export const zfs = defineFacts(['zfs_version', 'zfs_featurenumbers'], async (machine) => {
  const versions = listVersions(await machine.output(['zfs', 'upgrade', '-v']))
  return versions.length === 0 ? {} : { zfs_version: versions.at(-1), zfs_featurenumbers: versions.join(',') }
})

/** Versions and feature flags of ZFS storage pools, on Linux as in OpenFact 5. Missing without the program `zpool`. */
export const zpool = defineFacts(['zpool_version', 'zpool_featurenumbers', 'zpool_featureflags'], async (machine) => {
  const output = await machine.output(['zpool', 'upgrade', '-v'])
  const versions = listVersions(output)
  if (versions.length === 0) return {}
  const flags = output
    .split('\n')
    .flatMap((row) => /^([a-z0-9_]+)[ \t]*(?:\(read-only compatible\))?$/.exec(row)?.[1] ?? [])
  return {
    // The version of all pools with feature flags.
    zpool_version: flags.length > 0 ? '5000' : versions.at(-1),
    zpool_featurenumbers: versions.join(','),
    zpool_featureflags: flags.join(','),
  }
})

/** Version numbers, each at the beginning of an indented row. */
function listVersions(output: string): readonly string[] {
  return output.split('\n').flatMap((row) => /^\s+(\d+)/.exec(row)?.[1] ?? [])
}
