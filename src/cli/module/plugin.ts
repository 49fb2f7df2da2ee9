import { loadSettings } from '../../machine/settings/settings.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import { createLog, createTeeLog } from '../../node/agent/log.ts'
import { fetchPlugins } from '../../node/agent/plugins/fetch-plugins.ts'
import { requireTrustedFolders } from '../../node/agent/process/trusted-folders.ts'
import { type CliCommand, defineCommand } from '../command/command.ts'
import { renderAs } from '../command/options.ts'
import { createCommandLog, withServerSession } from '../connection/server-session.ts'

/** The command `plumb plugin`. */
export const plugin: CliCommand = {
  name: 'plugin',
  summary: "Download the modules' plug-ins from the server.",
  commands: [
    defineCommand({
      name: 'download',
      summary: 'Download plug-ins as an agent run does, and list new plug-ins.',
      description: `Downloads facts, types, providers, functions and faces of the environment's modules to plugindest and pluginfactdest,
and removes files that the modules no longer contain.

  plumb plugin download --environment test`,
      options: [renderAs],
      async run(invocation) {
        const { options, settings: given, io } = invocation
        const settings = loadSettings({ given, runMode: 'agent' })
        requireTrustedFolders(settings)
        const changed = new Set<string>()
        const noting = createLog({
          write({ source = '' }) {
            const [, path] = /^\/File\[(.*)\]\/\w+$/.exec(source) ?? []
            if (path !== undefined) changed.add(path)
          },
        })
        const log = createTeeLog(createCommandLog(io, options), noting)
        for (const folder of ['statedir', 'libdir'] as const)
          await localSystem.files.makeDirectory(settings[folder], 0o750)
        const plugins = await withServerSession(settings, invocation, (session) =>
          fetchPlugins({
            settings,
            session,
            system: localSystem,
            log,
            times: {},
            hints: new Set(),
            environment: settings.environment,
            pluginsCodeId: undefined,
          }),
        )
        const paths = [...changed]
        if (options.renderAs === 'json') io.out(`${JSON.stringify(paths)}\n`)
        else io.out(paths.length === 0 ? 'No plugins downloaded.\n' : `Downloaded these plugins: ${paths.join(', ')}\n`)
        return plugins === 'untrusted' ? 1 : 0
      },
    }),
  ],
}
