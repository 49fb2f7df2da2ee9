import type { Value } from '../../../language/values/value.ts'
import {
  addAliases,
  anyKind,
  createEnumKind,
  createListKind,
  createParsedKind,
  integerKind,
  textKind,
  toPlainText,
} from '../attribute-kinds.ts'
import { failWithFormError, failWithMessage } from '../issues.ts'
import { defineNamevar, defineParameter, defineProperty, defineType } from '../type.ts'

const searchPath = createParsedKind((value: Value): readonly string[] =>
  createListKind(textKind)
    .parse(value)
    .flatMap((each) => each.split(':')),
)

const logonPassword = createParsedKind((value: Value): string => {
  const given = toPlainText(value)
  return given.includes(':') ? failWithFormError("Passwords cannot include ':'") : given
})

/** The resource type `service`: services of the operating system. */
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
    enable: defineProperty(
      createEnumKind('true', 'false', 'manual', 'mask', 'delayed'),
      'If true, the service starts at boot.',
      {
        needs: 'enableable',
        valueNeeds: { manual: 'manual_startable', mask: 'maskable', delayed: 'delayed_startable' },
      },
    ),
    ensure: defineProperty(
      addAliases(createEnumKind('stopped', 'running'), { false: 'stopped', true: 'running' }),
      'The state of the service: running or stopped.',
    ),
    logonaccount: defineProperty(textKind, 'An account for service logon.', { needs: 'manages_logon_credentials' }),
    logonpassword: defineParameter(logonPassword, 'The password of that account.', {
      needs: 'manages_logon_credentials',
      sensitive: true,
    }),
    flags: defineProperty(textKind, 'Flags for the startup script.', { needs: 'flaggable' }),
    binary: defineParameter(textKind, 'The path to the daemon.'),
    hasstatus: defineParameter(
      createEnumKind('true', 'false'),
      'If true, the status command of the init script is used.',
      {
        default: 'true',
      },
    ),
    name: defineNamevar(textKind, 'The name of the service.'),
    path: defineParameter({ ...searchPath, list: true as const }, 'The search path for init scripts.'),
    pattern: defineParameter(textKind, 'The pattern of the service in the process table.', {
      default: (resource) => String(resource.value('binary') ?? resource.name),
    }),
    restart: defineParameter(textKind, 'A command that restarts the service.'),
    start: defineParameter(textKind, 'A command that starts the service.'),
    status: defineParameter(textKind, 'A command that succeeds if the service is running.'),
    stop: defineParameter(textKind, 'A command that stops the service.'),
    control: defineParameter(textKind, 'The control variable.', { needs: 'controllable' }),
    hasrestart: defineParameter(
      createEnumKind('true', 'false'),
      'If true, the restart command of the init script is used.',
    ),
    manifest: defineParameter(textKind, 'A command to configure the service, or a path to a manifest.'),
    timeout: defineParameter(integerKind, 'The maximum seconds to wait for a change.', {
      needs: 'configurable_timeout',
    }),
    provider: defineParameter(anyKind, 'The backend.'),
  },
  validate(resource) {
    if (resource.has('logonpassword') && !resource.has('logonaccount'))
      failWithMessage("The 'logonaccount' parameter is mandatory when setting 'logonpassword'.")
  },
})
