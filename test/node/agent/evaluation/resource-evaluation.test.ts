import { describe, expect, it } from 'vitest'
import type { Value } from '../../../../src/language/values/value.ts'
import { AppliedCatalog } from '../../../../src/node/agent/applied-catalog.ts'
import { applyResource } from '../../../../src/node/agent/evaluation/resource-evaluation.ts'
import { createLog } from '../../../../src/node/agent/log.ts'
import { StatusBuilder } from '../../../../src/node/agent/report-builder.ts'
import { openRunState } from '../../../../src/node/agent/state-files.ts'
import {
  createEnumKind,
  createListKind,
  integerKind,
  textKind,
} from '../../../../src/node/resources/attribute-kinds.ts'
import type { AnyResource } from '../../../../src/node/resources/managed-resource.ts'
import {
  type AnyProvider,
  defineProvider,
  type PropertyValues,
  type ProviderWork,
} from '../../../../src/node/resources/provider.ts'
import {
  defineNamevar,
  defineProperty,
  defineType,
  type NativeTypeDefinition,
} from '../../../../src/node/resources/type.ts'
import { recordingSystem } from '../../resources/recording-system.ts'
import { catalogOf } from '../small-catalog.ts'

const thing = defineType('thing', {
  doc: 'A thing with a property of each sort.',
  attributes: {
    name: defineNamevar(textKind, 'Its name.'),
    size: defineProperty(integerKind, 'A number.'),
    ensure: defineProperty(createEnumKind('present', 'absent', 'purged', 'large'), 'Its state.'),
    color: defineProperty(textKind, 'A word, of any case.', {
      inSync: (is, should) => String(is).toLowerCase() === should.toLowerCase(),
    }),
    parts: defineProperty(createListKind(textKind), 'A list.'),
    key: defineProperty(textKind, 'A secret.', { sensitive: true }),
    said: defineProperty(textKind, 'Something done in each run.', { idempotent: false }),
  },
})

interface Case {
  readonly given: Readonly<Record<string, Value>>
  /** What the provider reads, or the error that it throws. */
  readonly seen: PropertyValues | Error
  readonly noop?: boolean
  /** What the provider does otherwise. */
  readonly provider?: Partial<AnyProvider>
  /** Values of the last run, by property: transactionstore.yaml. */
  readonly before?: Readonly<Record<string, readonly unknown[]>>
  /** Audited values of the last run: state.yaml. */
  readonly recorded?: Readonly<Record<string, unknown>>
  readonly expected: Outcome
}

interface Outcome {
  /** What was asked of the provider after reading. */
  readonly calls?: readonly string[]
  readonly logs?: readonly string[]
  /** `name status: message` */
  readonly events?: readonly string[]
  /** What the next run knows. */
  readonly remembered?: Readonly<Record<string, readonly unknown[]>>
}

const store = '/state/transactionstore.yaml'
const statefile = '/state/state.yaml'

async function outcomeOf({ given, seen, noop = false, provider: other, before = {}, recorded = {} }: Case) {
  const calls: string[] = []
  const logs: string[] = []
  const definition = {
    doc: 'Keeps what is asked of it.',
    async read() {
      if (seen instanceof Error) throw seen
      return seen
    },
    create: async () => void calls.push('create'),
    remove: async () => void calls.push('remove'),
    flush: async () => void calls.push('flush'),
    set: Object.fromEntries(
      ['size', 'color', 'parts', 'key', 'said'].map((name) => [
        name,
        async (_: unknown, should: unknown, is: unknown) => void calls.push(`set ${name} ${should} was ${is}`),
      ]),
    ),
    ...other,
  }
  const provider = defineProvider(thing, 'recording', definition) as AnyProvider
  const wire = catalogOf('')
  const resources = [
    {
      type: 'Thing',
      title: 't',
      tags: ['thing'],
      file: undefined,
      line: undefined,
      exported: false,
      kind: 'compilable_type' as const,
      parameters: new Map(Object.entries(given)),
    },
  ]
  const catalog = new AppliedCatalog(
    { ...wire, resources },
    new Map([['thing', thing as unknown as NativeTypeDefinition]]),
  )
  const entry = catalog.lookup('thing', 't')!
  const resource = entry.resource as AnyResource
  resource.provider = provider
  resource.parse()

  const parameters = Object.fromEntries(Object.entries(before).map(([name, system_value]) => [name, { system_value }]))
  const texts: Record<string, string> = {
    [store]: JSON.stringify({ resources: { 'Thing[t]': { parameters } } }),
    [statefile]: JSON.stringify({
      'Thing[t]': Object.fromEntries(Object.entries(recorded).map(([name, value]) => [`:${name}`, value])),
    }),
  }
  const { files } = recordingSystem(texts)
  const write = async (path: string, content: string | Uint8Array) => {
    texts[path] = String(content)
  }
  const places = { statefile, transactionstorefile: store }
  const state = await openRunState({ ...files, write } as typeof files, places, (said) => logs.push(said))
  const status = new StatusBuilder(entry, 0)
  await applyResource({
    resource,
    provider,
    work: { resource, settings: { compatibility: 'puppet8' } } as unknown as ProviderWork,
    status,
    state,
    noop,
    now: () => 0,
    log: (name) =>
      createLog({
        write: ({ level, message }) =>
          void logs.push(`${level}${name === undefined ? '' : ` ${name || 'Puppet'}`}: ${message}`),
      }),
  })
  await state.save()
  const after = JSON.parse(texts[store]!).resources['Thing[t]']?.parameters ?? {}
  const remembered = Object.fromEntries(
    Object.entries(after).map(([name, each]) => [name, (each as { system_value: readonly unknown[] }).system_value]),
  )
  return { calls, logs, status, remembered, kept: JSON.parse(texts[statefile]!)['Thing[t]'] }
}

const cases: Readonly<Record<string, Case>> = {
  'all as it should be': {
    given: { ensure: 'present', size: 3 },
    seen: { ensure: 'present', size: 3 },
    expected: { remembered: { ensure: ['present'], size: [3] } },
  },
  'created, and no other property is set then': {
    given: { size: 3, ensure: 'present' },
    seen: { ensure: 'absent' },
    expected: {
      calls: ['create', 'flush'],
      logs: ['notice ensure: created'],
      events: ['thing_created success: created'],
      remembered: { ensure: ['present'], size: [3] },
    },
  },
  'removed, and no other property is looked at': {
    given: { ensure: 'absent', size: 3 },
    seen: { ensure: 'present', size: 4 },
    expected: {
      calls: ['remove', 'flush'],
      logs: ['notice ensure: removed'],
      events: ['thing_removed success: removed'],
      remembered: { ensure: ['absent'], size: [3] },
    },
  },
  'absent as it should be, and no other property is looked at': {
    given: { ensure: 'absent', size: 3 },
    seen: { ensure: 'absent' },
    expected: { remembered: { ensure: ['absent'], size: [3] } },
  },
  'gone altogether, where nothing asks for it': {
    given: { size: 3 },
    seen: { ensure: 'purged' },
    expected: { remembered: { size: [3] } },
  },
  'another state, which has a setter': {
    given: { ensure: 'large' },
    seen: { ensure: 'present' },
    provider: { set: { ensure: async () => {} } },
    expected: {
      calls: ['flush'],
      logs: ["notice ensure: ensure changed 'present' to 'large'"],
      events: ["thing_changed success: ensure changed 'present' to 'large'"],
      remembered: { ensure: ['large'] },
    },
  },
  'properties in the order of the type, each as what it was and is': {
    given: { parts: ['a', 'b'], color: 'red', size: 3 },
    seen: { ensure: 'present', size: 2, color: 'blue', parts: ['b'] },
    expected: {
      calls: ['set size 3 was 2', 'set color red was blue', 'set parts a,b was b', 'flush'],
      logs: [
        'notice size: size changed 2 to 3',
        "notice color: color changed 'blue' to 'red'",
        "notice parts: parts changed ['b'] to ['a', 'b']",
      ],
      events: [
        'size_changed success: size changed 2 to 3',
        "color_changed success: color changed 'blue' to 'red'",
        "parts_changed success: parts changed ['b'] to ['a', 'b']",
      ],
      remembered: { size: [3], color: ['red'], parts: [['a', 'b']] },
    },
  },
  'a property that was absent, or is to be': {
    given: { size: 3, color: 'absent', parts: ['a'] },
    seen: { size: 'absent', color: 'blue', parts: undefined },
    expected: {
      calls: ['set size 3 was absent', 'set color absent was blue', 'set parts a was undefined', 'flush'],
      logs: [
        "notice size: defined 'size' as 3",
        "notice color: undefined 'color' from 'blue'",
        "notice parts: defined 'parts' as ['a']",
      ],
      events: [
        "size_changed success: defined 'size' as 3",
        "color_changed success: undefined 'color' from 'blue'",
        "parts_changed success: defined 'parts' as ['a']",
      ],
      remembered: { size: [3], color: ['absent'], parts: [['a']] },
    },
  },
  'numbers that were read as text, words that a type takes for equal, one of several values': {
    given: { size: [4, 3], color: ['green', 'RED'], parts: ['a'] },
    seen: { size: '3', color: 'red', parts: ['a'] },
    expected: { remembered: { size: [4, 3], color: ['green', 'RED'], parts: [['a']] } },
  },
  'what the provider takes for equal comes before what the type does': {
    given: { color: 'red', size: 3 },
    seen: { color: 'blue', size: 3 },
    provider: { inSync: { color: () => true, size: async () => false } },
    expected: {
      calls: ['set size 3 was 3', 'flush'],
      logs: ['notice size: size changed 3 to 3'],
      events: ['size_changed success: size changed 3 to 3'],
      remembered: { color: ['red'], size: [3] },
    },
  },
  'the words of a provider for its changes, its values and its events': {
    given: { ensure: 'present', size: 3, color: 'red' },
    seen: { ensure: 'present', size: 2, color: 'blue' },
    provider: {
      changeText: { size: () => 'grew', color: () => undefined },
      show: { color: (_, value) => `<${value}>` },
      eventNames: { size: 'growth', color: (should) => `turned_${should}` },
    },
    expected: {
      calls: ['set size 3 was 2', 'set color red was blue', 'flush'],
      logs: ['notice size: grew', 'notice color: color changed <blue> to <red>'],
      events: ['growth success: grew', 'turned_red success: color changed <blue> to <red>'],
      remembered: { ensure: ['present'], size: [3], color: ['red'] },
    },
  },
  'only said what would be done': {
    noop: true,
    given: { ensure: 'present', size: 3, color: 'red' },
    seen: { ensure: 'present', size: 2, color: 'red' },
    expected: {
      logs: ['notice size: size changed 2 to 3 (noop)'],
      events: ['size_changed noop: size changed 2 to 3 (noop)'],
      remembered: { ensure: ['present'], size: [2], color: ['red'] },
    },
  },
  'only said what would be created': {
    noop: true,
    given: { ensure: 'present', size: 3 },
    seen: { ensure: 'absent' },
    expected: {
      logs: ['notice ensure: created (noop)'],
      events: ['thing_created noop: created (noop)'],
      remembered: { ensure: ['absent'], size: [3] },
    },
  },
  'at a level of its own': {
    given: { size: 3, loglevel: 'warning' },
    seen: { size: 2 },
    expected: {
      calls: ['set size 3 was 2', 'flush'],
      logs: ['warning size: size changed 2 to 3'],
      events: ['size_changed success: size changed 2 to 3'],
      remembered: { size: [3] },
    },
  },
  'a property that cannot be set fails alone': {
    given: { size: 3, color: 'red', loglevel: 'info' },
    seen: { size: 2, color: 'blue' },
    provider: {
      set: {
        size: async () => {
          throw new Error('too large')
        },
        color: async () => {},
      },
    },
    expected: {
      calls: ['flush'],
      logs: [
        'err Puppet: too large',
        'err size: change from 2 to 3 failed: too large',
        "info color: color changed 'blue' to 'red'",
      ],
      events: [
        'size_changed failure: change from 2 to 3 failed: too large',
        "color_changed success: color changed 'blue' to 'red'",
      ],
      remembered: { size: [2], color: ['red'] },
    },
  },
  'a property without a setter': {
    given: { size: 3 },
    seen: { size: 2 },
    provider: { set: {} },
    expected: {
      logs: [
        'err Puppet: The recording provider can not handle attribute size',
        'err size: change from 2 to 3 failed: The recording provider can not handle attribute size',
      ],
      events: ['size_changed failure: change from 2 to 3 failed: The recording provider can not handle attribute size'],
      remembered: { size: [2] },
    },
  },
  'what cannot be created is left alone': {
    given: { ensure: 'present', size: 3 },
    seen: { ensure: 'absent' },
    provider: {
      create: async () => {
        throw new Error('no room')
      },
    },
    expected: {
      logs: [
        "err Puppet: Could not set 'present' on ensure: no room",
        "err ensure: change from 'absent' to 'present' failed: Could not set 'present' on ensure: no room",
      ],
      events: [
        "thing_created failure: change from 'absent' to 'present' failed: Could not set 'present' on ensure: no room",
      ],
      remembered: { ensure: ['absent'], size: [3] },
    },
  },
  'what cannot be read': {
    given: { ensure: 'present' },
    seen: new Error('no answer'),
    expected: {
      logs: ['err: Could not evaluate: no answer'],
      events: ['resource_error failure: no answer'],
    },
  },
  'a flush that fails': {
    given: { size: 3 },
    seen: { size: 2 },
    provider: {
      flush: async () => {
        throw new Error('disk full')
      },
    },
    expected: {
      calls: ['set size 3 was 2'],
      logs: ['notice size: size changed 2 to 3', 'err: Could not evaluate: disk full'],
      events: ['size_changed success: size changed 2 to 3', 'resource_error failure: disk full'],
      remembered: { size: [3] },
    },
  },
  'somebody undid what the last run had set': {
    given: { size: 3 },
    seen: { size: 2 },
    before: { size: [3] },
    expected: {
      calls: ['set size 3 was 2', 'flush'],
      logs: ['notice size: size changed 2 to 3 (corrective)'],
      events: ['size_changed success corrective: size changed 2 to 3 (corrective)'],
      remembered: { size: [3] },
    },
  },
  'the manifest is another one since the last run': {
    given: { size: 3 },
    seen: { size: 2 },
    before: { size: [2] },
    expected: {
      calls: ['set size 3 was 2', 'flush'],
      logs: ['notice size: size changed 2 to 3'],
      events: ['size_changed success: size changed 2 to 3'],
      remembered: { size: [3] },
    },
  },
  'undone, and only said; the next run still knows who changed it': {
    noop: true,
    given: { size: 3 },
    seen: { size: 2 },
    before: { size: [3] },
    expected: {
      logs: ['notice size: size changed 2 to 3 (noop) (corrective)'],
      events: ['size_changed noop corrective: size changed 2 to 3 (noop) (corrective)'],
      remembered: { size: [3] },
    },
  },
  'done in each run is no correction': {
    given: { said: 'hello' },
    seen: { said: 'absent' },
    before: { said: ['hello'] },
    expected: {
      calls: ['set said hello was absent', 'flush'],
      logs: ["notice said: defined 'said' as 'hello'"],
      events: ["said_changed success: defined 'said' as 'hello'"],
      remembered: { said: ['hello'] },
    },
  },
  'a secret is neither shown nor kept': {
    given: { key: 'hush-hush' },
    seen: { key: 'other' },
    before: { key: ['hush-hush'] },
    expected: {
      calls: ['set key hush-hush was other', 'flush'],
      logs: ['notice key: changed [redacted] to [redacted]'],
      events: ['key_changed success: changed [redacted] to [redacted]'],
    },
  },
  'watched for the first time': {
    given: { audit: ['size', 'color'] },
    seen: { size: 2 },
    expected: {
      logs: ['notice size: audit change: newly-recorded value 2', 'notice color: audit change: newly-recorded value '],
    },
  },
  'watched, and changed since': {
    given: { audit: 'all' },
    seen: { ensure: 'present', size: 2, color: 'red' },
    recorded: { ensure: 'present', size: 1, color: 'red' },
    expected: {
      logs: ['notice size: audit change: previously recorded value 1 has been changed to 2'],
      events: ['size_changed audit: audit change: previously recorded value 1 has been changed to 2'],
    },
  },
  'watched and managed, and changed since': {
    given: { size: 3, audit: 'size' },
    seen: { size: 2 },
    recorded: { size: 1 },
    expected: {
      calls: ['set size 3 was 2', 'flush'],
      logs: ['notice size: size changed 2 to 3 (previously recorded value was 1)'],
      events: ['size_changed success: size changed 2 to 3 (previously recorded value was 1)'],
      remembered: { size: [3] },
    },
  },
}

describe('a resource', () => {
  it.each(Object.entries(cases))('%s', async (_, each) => {
    const { calls, logs, status, remembered } = await outcomeOf(each)
    const events = status.events.map(
      ({ name, status: word, corrective_change, message }) =>
        `${name} ${word}${corrective_change ? ' corrective' : ''}: ${message}`,
    )
    const nothing: Required<Outcome> = { calls: [], logs: [], events: [], remembered: {} }
    expect({ calls, logs, events, remembered }).toEqual({ ...nothing, ...each.expected })
  })

  it.each<[string, Pick<Case, 'given' | 'seen' | 'noop'>, Partial<StatusBuilder>]>([
    ['in its state', { given: { size: 3 }, seen: { size: 3 } }, { changed: false, outOfSync: false, failed: false }],
    ['that was changed', { given: { size: 3 }, seen: { size: 2 } }, { changed: true, outOfSync: true, failed: false }],
    [
      'that would be changed',
      { given: { size: 3 }, seen: { size: 2 }, noop: true },
      { changed: false, outOfSync: true, failed: false },
    ],
    ['that failed', { given: { size: 3 }, seen: new Error('no') }, { changed: false, outOfSync: true, failed: true }],
    [
      'that is only watched',
      { given: { audit: 'size' }, seen: { size: 2 } },
      { changed: false, outOfSync: false, failed: false },
    ],
  ])('%s counts as such', async (_, each, expected) => {
    const { status } = await outcomeOf({ ...each, expected: {} })
    expect(status).toMatchObject(expected)
  })

  it('keeps when it was looked at, and when it was changed in earnest', async () => {
    const time = new Date(0).toISOString()
    const kept = async (seen: PropertyValues | Error, noop = false) =>
      (await outcomeOf({ given: { size: 3 }, seen, noop, expected: {} })).kept
    expect(await kept({ size: 3 })).toEqual({ ':checked': time })
    expect(await kept({ size: 2 })).toEqual({ ':checked': time, ':synced': time })
    expect(await kept({ size: 2 }, true)).toEqual({ ':checked': time })
    expect(await kept(new Error('no'))).toEqual({})
  })

  it('says in an event what was and what should be, and of a secret nothing', async () => {
    const { status } = await outcomeOf({
      given: { size: 3, key: 'hush-hush', audit: ['size', 'key'] },
      seen: { size: 2, key: 'other' },
      recorded: { size: 1, key: 'old' },
      expected: {},
    })
    expect(status.events).toMatchObject([
      { property: 'size', previous_value: 2, desired_value: 3, historical_value: 1, redacted: null, audited: true },
      {
        property: 'key',
        previous_value: '[redacted]',
        desired_value: '[redacted]',
        historical_value: '[redacted]',
        redacted: true,
        audited: true,
      },
    ])
    expect(JSON.stringify(status.events)).not.toMatch(/hush|other|old/)
  })
})
