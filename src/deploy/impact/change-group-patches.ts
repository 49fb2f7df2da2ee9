import type { Comparer } from './comparer.ts'
import type { ImpactOrder } from './impact-request.ts'
import type { ChangeGroup } from './impact-result.ts'
import type { NodeChange, ParameterChange } from './node-change.ts'

/** Maximum size in bytes of a file that is compared line by line. */
const mostBytes = 1024 * 1024
/** Maximum number of compared files in one result. For other files, only digests are shown. */
const mostFiles = 500

/**
 * Adds the line differences of the files that changed parameters reference. A file in several
 * groups is read once.
 */
export async function addFilePatches(
  groups: readonly ChangeGroup[],
  { from, to }: Pick<ImpactOrder, 'from' | 'to'>,
  comparer: Comparer,
): Promise<readonly ChangeGroup[]> {
  const patches = new Map<string, string | undefined>()
  const getPatch = async (files: NonNullable<ParameterChange['files']>): Promise<string | undefined> => {
    const key = `${files.from}\0${files.to}`
    if (!patches.has(key)) {
      if (patches.size >= mostFiles) return undefined
      const [before, after] = [await from?.file(files.from, mostBytes), await to.file(files.to, mostBytes)]
      patches.set(key, before && after && (await comparer.files(before, after)))
    }
    return patches.get(key)
  }
  const patchParameter = async (parameter: ParameterChange): Promise<ParameterChange> => {
    const { files, ...rest } = parameter
    const patch = files && (await getPatch(files))
    return patch === undefined ? rest : { ...rest, patch }
  }
  const all: ChangeGroup[] = []
  for (const { nodes, change } of groups) all.push({ nodes, change: await patchChange(change, patchParameter) })
  return all
}

async function patchChange(
  change: NodeChange,
  patched: (parameter: ParameterChange) => Promise<ParameterChange>,
): Promise<NodeChange> {
  const changed: NodeChange['changed'][number][] = []
  for (const { resource, parameters } of change.changed) {
    const own: ParameterChange[] = []
    for (const each of parameters) own.push(await patched(each))
    changed.push({ resource, parameters: own })
  }
  return { ...change, changed }
}
