import type { Value } from '../../../language/values/value.ts'
import { anything, integer, listOf, oneOf, parsedBy, text, withAliases } from '../kind.ts'
import type { ManagedResource } from '../managed-resource.ts'
import { defineType, namevar, parameter, property } from '../type.ts'

const searchPath = parsedBy((value: Value): readonly string[] =>
  listOf(text)
    .parse(value)
    .flatMap((each) => each.split(':')),
)

/** Services. */
export const service = defineType('service', {
  doc: 'Manage running services.',
  features: {
    refreshable: 'The provider can restart the service.',
    enableable: 'The provider can enable and disable the service.',
    delayed_startable: 'The provider can set service to delayed start.',
    manual_startable: 'The provider can set service to manual start.',
    controllable: 'The provider uses a control variable.',
    flaggable: 'The provider can pass flags to the service.',
    maskable: "The provider can 'mask' the service.",
    configurable_timeout: 'The provider can specify a minimum timeout for syncing service properties.',
    manages_logon_credentials: 'The provider can specify the logon credentials used for a service.',
  },
  attributes: {
    enable: property(oneOf('true', 'false', 'manual', 'mask', 'delayed'), 'If true, the service starts at boot.', {
      needs: 'enableable',
      valueNeeds: { manual: 'manual_startable', mask: 'maskable', delayed: 'delayed_startable' },
    }),
    ensure: property(
      withAliases(oneOf('stopped', 'running'), { false: 'stopped', true: 'running' }),
      'The state of the service: running or stopped.',
    ),
    logonaccount: property(text, 'An account for service logon.', { needs: 'manages_logon_credentials' }),
    logonpassword: parameter(text, 'The password of that account.', {
      needs: 'manages_logon_credentials',
      sensitive: true,
    }),
    flags: property(text, 'Flags for the startup script.', { needs: 'flaggable' }),
    binary: parameter(text, 'The path to the daemon.'),
    hasstatus: parameter(oneOf('true', 'false'), 'If true, the status command of the init script is used.', {
      default: 'true',
    }),
    name: namevar(text, 'The name of the service.'),
    path: parameter({ ...searchPath, list: true as const }, 'The search path for init scripts.'),
    pattern: parameter(text, 'The pattern of the service in the process table.', {
      default: (resource) => String(resource.value('binary') ?? resource.name),
    }),
    restart: parameter(text, 'A command that restarts the service.'),
    start: parameter(text, 'A command that starts the service.'),
    status: parameter(text, 'A command that succeeds if the service is running.'),
    stop: parameter(text, 'A command that stops the service.'),
    control: parameter(text, 'The control variable.', { needs: 'controllable' }),
    hasrestart: parameter(oneOf('true', 'false'), 'If true, the restart command of the init script is used.'),
    manifest: parameter(text, 'A command to configure the service, or a path to a manifest.'),
    timeout: parameter(integer, 'The maximum seconds to wait for a change.', { needs: 'configurable_timeout' }),
    provider: parameter(anything, 'The backend.'),
  },
})

/** A service resource. */
export type ServiceResource = ManagedResource<(typeof service)['attributes']>
