import type { Json } from '../../base/json/json-checks.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { formatQuantity } from '../../base/text/quantity.ts'
import { type ImportResult, importBundle } from '../../deploy/bundle/bundle-import.ts'
import { checkBundleAge, recordBundle } from '../../deploy/bundle/bundle-record.ts'
import {
  getBundlesFolder,
  type UnpackedBundle,
  unpackBundle,
  withBundleStaging,
} from '../../deploy/bundle/unpacked-bundle.ts'
import { getControlPath, sendControlRequest } from '../../deploy/control/control-socket.ts'
import { localFiles } from '../../machine/system/files.ts'
import { formatFullName } from '../../node/gems/compact-index.ts'
import { openGemDirectory, openGemInstaller } from '../../node/gems/configured-gems.ts'
import { createPushHooks } from '../../server/git/push-hooks.ts'
import { defineCommand, type Io } from '../command/command.ts'
import { printMessage } from '../command/messages.ts'
import { renderAs } from '../command/options.ts'
import { loadCodeSettings, openCodeRepository, repositoryOption } from '../input/code-source.ts'
import {
  createBundleProgress,
  forceOption,
  readBundleTrust,
  requireBundleFile,
  trustOptions,
} from './bundle-options.ts'

/** The command `plumb bundle import`. */
export const bundleImport = defineCommand({
  name: 'import',
  summary: 'Import a bundle into the code repository of a server.',
  description: `Verifies a bundle, and then imports it like a push: the commits are checked by the hooks and the gate in quarantine, and
the branches of all environments move together. The commits contain the modules of the Puppetfile, so that the server
fetches nothing. Gems are installed in $vardir/gems. If the bundle is rejected, nothing changes; an interrupted import
can be repeated.

A bundle that is older than the current code is rejected, unless --force is given.

  plumb bundle import site.bundle --trusted-ca ca.pem
  plumb bundle import site.bundle --repo /srv/code.git --render-as json

Exits with 0, or with 1 if the bundle is rejected.`,
  usage: '<file>',
  options: [repositoryOption, ...trustOptions, forceOption, renderAs],
  async run(invocation) {
    const { options, settings: given, io } = invocation
    const file = await requireBundleFile(invocation)
    const settings = loadCodeSettings(invocation)
    const trust = await readBundleTrust(options, settings)
    const force = options.force === true
    const source = await openCodeRepository(settings)
    const folder = getBundlesFolder(settings)
    const installer = openGemInstaller(settings, openGemDirectory(settings), [])
    try {
      const result = await withBundleStaging(folder, async (scratch) => {
        const wants = ({ path }: { readonly path: string }) => !path.startsWith('catalogs/')
        const bundle = await unpackBundle(file, scratch, { trust, wants, progress: createBundleProgress(io) })
        const environments = new Map(bundle.manifest.environments.map((each) => [each.name, each]))
        const use = { use: 'imported', environments, folder, files: localFiles } as const
        if (!force) await checkBundleAge(bundle, use)
        // The hooks are in the temporary folder, since the hooks of a running server contain its settings.
        const pushHooks = createPushHooks({ vardir: scratch }, { ...given, code_repo: settings.code_repo })
        await pushHooks.write()
        const hooks = await pushHooks.of(source.path)
        const say = (line: string) => io.err(`${line}\n`)
        const imported = await importBundle(bundle, { source, hooks, installer, force, say })
        await recordBundle(bundle, use)
        return { bundle, imported }
      })
      if (result.imported.environments.some(({ change }) => change === 'modules updated'))
        await sendControlRequest(getControlPath(settings), 'refresh')
      if (options.renderAs === 'json') io.out(`${JSON.stringify(toJson(result.imported), undefined, 2)}\n`)
      else printResult(result.bundle, result.imported, io)
      return 0
    } finally {
      await source.close()
      await installer.close()
    }
  },
})

function printResult({ manifest, signature }: UnpackedBundle, { environments, gems }: ImportResult, io: Io): void {
  if (!signature) printMessage('Warning', 'The bundle is not signed: its origin was not verified', io)
  for (const { name, before, codeId, change } of environments)
    io.out(
      `${name}: ${change}${change === 'unchanged' || before === undefined ? '' : ` from ${before}`}, serves ${codeId}\n`,
    )
  for (const gem of gems) io.out(`${toPrintable(formatFullName(gem))}: installed\n`)
  const { length } = manifest.catalogs
  if (length > 0)
    io.out(
      `${formatQuantity(length, 'catalog')} not imported: 'plumb bundle apply' applies a catalog without a server\n`,
    )
}

function toJson({ environments, gems }: ImportResult): Json {
  return {
    environments: environments.map(({ name, ref, before, commit, codeId, change }) => ({
      ...{ name, ref, before: before ?? null, commit, code_id: codeId, change },
    })),
    gems: gems.map(formatFullName),
  }
}
