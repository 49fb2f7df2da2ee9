import { defineProvider, type PropertyValues, type ProviderDefinition } from '../../provider.ts'
import { service } from '../../types/service.ts'
import {
  type CommandFor,
  queryServiceStatus,
  restartService,
  type ServiceAttributes,
  type ServiceWork,
  startOrStop,
} from './service-commands.ts'

/** A service manager: the functions that differ between service providers. */
export interface ServiceManager
  extends Pick<
    ProviderDefinition<ServiceAttributes, undefined>,
    'doc' | 'suitable' | 'defaultFor' | 'notDefaultFor' | 'list'
  > {
  /** The commands for start, stop, restart and status. */
  readonly command: CommandFor
  /** Determines the status if no command returns it as its exit status. */
  status?(work: ServiceWork): Promise<'running' | 'stopped'>
  /** Starts the service, if a single command is not sufficient; likewise `stop` and `restart`. */
  start?(work: ServiceWork): Promise<void>
  stop?(work: ServiceWork): Promise<void>
  restart?(work: ServiceWork): Promise<void>
  /** Reads and changes whether a service starts at boot. */
  readonly boot?: {
    isEnabled(work: ServiceWork): Promise<'true' | 'false'>
    enable(work: ServiceWork): Promise<void>
    disable(work: ServiceWork): Promise<void>
  }
}

/** Declares a service provider, with the behavior common to all service managers (Puppet: type/service.rb). */
export function defineServiceProvider(
  name: string,
  manager: ServiceManager,
): ProviderDefinition<ServiceAttributes, undefined> {
  const { doc, suitable, defaultFor, notDefaultFor, list, command, boot } = manager
  const { status = (work) => queryServiceStatus(work, command) } = manager
  const again = manager.restart ?? ((work) => restartService(work, command, manager))
  const setBootEnable = (work: ServiceWork, should: string) =>
    should === 'true' ? boot?.enable(work) : boot?.disable(work)
  return defineProvider<ServiceAttributes>(service, name, {
    doc,
    ...(suitable && { suitable }),
    ...(defaultFor && { defaultFor }),
    ...(notDefaultFor && { notDefaultFor }),
    ...(list && { list }),
    features: boot ? ['refreshable', 'enableable'] : ['refreshable'],
    async read(work): Promise<PropertyValues> {
      const ensure = work.resource.reads('ensure') ? await status(work) : undefined
      return { ensure, enable: boot && work.resource.reads('enable') ? await boot.isEnabled(work) : undefined }
    },
    set: {
      async ensure(work, should: string) {
        if (should === 'running') await (manager.start?.(work) ?? startOrStop(work, 'start', command))
        else await (manager.stop?.(work) ?? startOrStop(work, 'stop', command))
        // After a start or stop, `enable` is synchronized at once.
        const wanted = work.resource.get('enable')
        if (boot && wanted !== undefined && (await boot.isEnabled(work)) !== wanted) await setBootEnable(work, wanted)
      },
      enable: async (work, should: string) => setBootEnable(work, should),
    },
    changeText: { ensure: ({ resource }, is) => `ensure changed '${String(is)}' to '${resource.get('ensure')}'` },
    invalidatesRefreshes: ['running'],
    eventNames: {
      ensure: (should) => (should === 'running' ? 'service_started' : 'service_stopped'),
      enable: (should) => (should === 'true' ? 'service_enabled' : 'service_disabled'),
    },
    async refresh(work) {
      if ((await status(work)) === 'running') await again(work)
      else work.log('debug', 'Skipping restart; service is not running')
    },
  })
}
