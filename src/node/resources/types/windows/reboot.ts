import {
  type AttributeKind,
  createEnumKind,
  createListKind,
  createParsedKind,
  textKind,
  toPlainText,
} from '../../attribute-kinds.ts'
import { failWithMessage } from '../../issues.ts'
import { defineNamevar, defineParameter, defineProperty, defineType } from '../../type.ts'

/** Reasons for which Windows waits for a restart, as manifests name them. */
export const rebootReasons = [
  'reboot_required',
  'component_based_servicing',
  'windows_auto_update',
  'pending_file_rename_operations',
  'package_installer',
  'pending_computer_rename',
  'pending_dsc_reboot',
  'pending_ccm_reboot',
  'pending_domain_join',
] as const

const reason = createParsedKind((value): string => {
  const text = toPlainText(value)
  const isKnown = (rebootReasons as readonly string[]).includes(text)
  return isKnown ? text : failWithMessage(`value must be one of ${rebootReasons.join(', ')}`)
})

const reasons: AttributeKind<readonly string[]> = {
  ...createListKind(reason),
  values: rebootReasons,
  parse(value) {
    if (Array.isArray(value) && value.length === 0) failWithMessage('There must be at least one element in the list')
    return createListKind(reason).parse(value)
  },
}

const longestMessage = 8000

const messageKind = createParsedKind((value): string => {
  const text = toPlainText(value)
  if (text === '') failWithMessage('A non-empty message must be specified.')
  if ([...text].length > longestMessage) failWithMessage('The given message must not exceed 8000 characters.')
  return text
})

const secondsKind = createParsedKind((value): number => {
  const text = toPlainText(value)
  return /^\d+$/.test(text) ? Number(text) : failWithMessage('The timeout must be an integer.')
})

const needs = 'manages_reboot_pending'

/** The resource type `reboot` of the module reboot: restarts of the machine. */
export const reboot = defineType('reboot', {
  doc: 'Restarts the machine after a run, on a refresh or if Windows waits for a restart.',
  features: { [needs]: 'The provider knows whether a restart is pending.' },
  attributes: {
    name: defineNamevar(textKind, 'The name of the resource.'),
    when: defineProperty(
      createEnumKind('refreshed', 'pending'),
      '`refreshed`: when another resource notifies this one; `pending`: when Windows waits for a restart.',
      {
        default: 'refreshed',
        valueNeeds: { pending: needs },
        inSync: (is, should) => should === 'refreshed' || is === should,
      },
    ),
    onlyif: defineParameter(reasons, 'The only reasons for which a pending restart counts.', { needs }),
    unless: defineParameter(reasons, 'Reasons for which a pending restart does not count.', { needs }),
    apply: defineParameter(
      createEnumKind('immediately', 'finished'),
      '`immediately` skips the rest of the run; `finished` applies it first.',
      { default: 'immediately' },
    ),
    message: defineParameter(messageKind, 'The message for users of the machine.', {
      default: 'Puppet is rebooting the computer',
    }),
    timeout: defineParameter(secondsKind, 'Seconds between the end of the run and the restart.', { default: 60 }),
  },
})

/** Attributes of the type `reboot`. */
export type RebootAttributes = (typeof reboot)['attributes']
