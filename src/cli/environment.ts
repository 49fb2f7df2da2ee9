import { defineIssues, fail } from '../base/issue.ts'
import { openDirectoryEnvironments } from '../environments/directory-environments.ts'
import { environmentOfBranch } from '../environments/environment-name.ts'
import { metadataOf, modulesOf } from '../environments/modules.ts'
import { type OpenedEnvironment, openCommit, openDirectory } from '../environments/open-environment.ts'
import { openRepository } from '../git/open-repository.ts'
import { loadSettings, type Settings } from '../settings/settings.ts'
import type { Command, Option } from './command.ts'

const issues = defineIssues({
  UNKNOWN_ENVIRONMENT: {
    text: (a: { name: string }) => `Could not find a directory environment named '${a.name}' anywhere in the path`,
    hint: () => "See 'plumb environment list'.",
  },
})

const renderAs: Option = { flags: '--render-as <format>', doc: 'json, or text for people.', default: 'text' }

/** `plumb environment` */
export const environment: Command = {
  name: 'environment',
  summary: 'Shows the environments of the repository, or of the environmentpath.',
  commands: [
    {
      name: 'list',
      summary: 'Lists environments with what they come from.',
      options: [renderAs],
      async run({ options, settings: given, io }) {
        const sources = await sourcesOf(loadSettings({ given, runMode: 'server' }))
        if (options['renderAs'] === 'json') io.out(`${JSON.stringify(sources, undefined, 2)}\n`)
        else for (const { name, ref, commit } of sources) io.out(`${[name, commit ?? ref].join('  ')}\n`)
        return 0
      },
    },
    {
      name: 'show',
      summary: 'Shows where an environment has its manifests and modules.',
      usage: '<name>',
      options: [renderAs],
      async run({ args: [name = ''], options, settings: given, io }) {
        const shown = describe(await openNamed(name, loadSettings({ given, runMode: 'server' })))
        if (options['renderAs'] === 'json') io.out(`${JSON.stringify(shown, undefined, 2)}\n`)
        else {
          for (const key of ['name', 'code_id', 'root', 'manifest', 'version'] as const)
            if (shown[key] !== null) io.out(`${key} = ${shown[key]}\n`)
          io.out(`modulepath = ${shown.modulepath.join(':')}\n`)
          for (const module of shown.modules) io.out(`  ${module.name} ${module.version ?? ''}`.trimEnd().concat('\n'))
          for (const warning of shown.warnings) io.err(`Warning: ${warning}\n`)
        }
        return 0
      },
    },
  ],
}

interface EnvironmentSource {
  readonly name: string
  /** The branch, or the folder. */
  readonly ref: string
  readonly commit: string | undefined
}

/** Environments as a server would find them; nothing is loaded. */
async function sourcesOf(settings: Settings): Promise<readonly EnvironmentSource[]> {
  if (settings.code_repo === '')
    return (await openDirectoryEnvironments(settings).status()).map(({ name, ref }) => ({
      name,
      ref,
      commit: undefined,
    }))
  const source = await openRepository(settings.code_repo)
  const refs = await source.listRefs('refs/heads/').finally(() => source.close())
  return [...refs].map(([ref, commit]) => ({ name: environmentOfBranch(ref.replace('refs/heads/', '')), ref, commit }))
}

async function openNamed(name: string, settings: Settings): Promise<OpenedEnvironment> {
  const source = (await sourcesOf(settings)).find((each) => each.name === name)
  if (!source) return fail(issues.UNKNOWN_ENVIRONMENT, { name })
  const { ref } = source
  if (source.commit === undefined) return openDirectory({ directory: ref, name }, settings)
  return openCommit({ repository: settings.code_repo, ref, name }, settings)
}

function describe({ environment: code, warnings }: OpenedEnvironment) {
  const { name, tree, manifest, modulepath, version } = code
  const absolute = (root: string, path: string) => (path === '' ? root : `${root}/${path}`)
  return {
    name,
    code_id: tree.codeId ?? null,
    root: tree.root,
    manifest: manifest && 'path' in manifest ? absolute(tree.root, manifest.path) : null,
    version,
    modulepath: modulepath.map((each) => absolute(each.tree.root, each.path)),
    modules: modulesOf(code).map((module) => ({
      name: module.name,
      version: metadataOf(module)?.version ?? null,
      path: absolute(module.directory.tree.root, module.directory.path),
    })),
    warnings,
  }
}
