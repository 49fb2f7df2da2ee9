import { discardContent, readContent } from '../../base/bytes/content.ts'
import { createRevisionOpener } from '../../code/environments/environment-opener.ts'
import type { Environment, Environments } from '../../code/environments/environments.ts'
import { type ResolveDeployedCommit, useBranchCommit } from '../../code/environments/git/branch-deployer.ts'
import type { GitObjectSource } from '../../code/git/git-object-source.ts'
import type { GatedPoint } from '../../deploy/gate/gate.ts'
import type { ImpactCode, TreeFile } from '../../deploy/impact/impact-request.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { JobCode } from '../termini/catalog/compiler.ts'

/** A commit, in the forms that an impact analysis and a compile job need. */
export interface GateCode {
  readonly code: ImpactCode
  readonly job: JobCode
}

/**
 * Returns a function that opens commits for the gate. A deployed commit is already loaded. Other commits are loaded
 * from the repository, including a push's quarantine.
 */
export function createCommitOpener(
  source: GitObjectSource,
  environments: Environments,
  { settings, deployed }: { readonly settings: Settings; readonly deployed: ResolveDeployedCommit },
): (point: GatedPoint) => Promise<GateCode> {
  const open = createRevisionOpener(source, settings, useBranchCommit)
  return async ({ commit: given, ref, environment: name, isServed }) => {
    const commit = await deployed({ environment: name, ref, commit: given })
    const served = isServed ? await environments.get(name) : undefined
    if (served?.codeId === commit) return toGateCode(served, commit)
    const { snapshot, settings: own, environment } = await open({ commit, ref, name })
    const readTreeFile = async (path: string, most: number): Promise<TreeFile | undefined> => {
      const bytes = environment.tree.read(path)
      return bytes && { size: bytes.length, bytes: bytes.length > most ? undefined : bytes }
    }
    const { revision: label = commit } = environment
    return {
      code: { snapshot, label, isServed: false, file: readTreeFile },
      job: { name, codeId: commit, snapshot, settings: own },
    }
  }
}

function toGateCode(served: Environment, commit: string): GateCode {
  const { snapshot } = served
  return {
    job: served,
    code: {
      snapshot,
      label: commit,
      isServed: true,
      async file(path, most) {
        const found = await served.openFile(path)
        if (!found) return undefined
        if (found.size <= most) return { size: found.size, bytes: await readContent(found.content) }
        discardContent(found.content)
        return { size: found.size, bytes: undefined }
      },
    },
  }
}
