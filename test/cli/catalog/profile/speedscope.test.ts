import { describe, expect, it } from 'vitest'
import { formatSpeedscope } from '../../../../src/cli/catalog/profile/speedscope.ts'
import { type ScriptedWork, scriptedProfile } from '../../../compiler/profile/scripted-profile.ts'

interface Speedscope {
  readonly $schema: string
  readonly shared: { readonly frames: readonly { readonly name: string }[] }
  readonly profiles: readonly {
    readonly type: string
    readonly unit: string
    readonly startValue: number
    readonly endValue: number
    readonly events: readonly { readonly type: 'O' | 'C'; readonly frame: number; readonly at: number }[]
  }[]
}

const cases: Readonly<Record<string, readonly ScriptedWork[]>> = {
  nothing: [],
  'nested work': [['phase', 'evaluate', 1, ['class', 'a', 2, ['function', 'f'], ['function', 'f', 4]]]],
  recursion: [['function', 'f', ['function', 'f', 0.25, ['function', 'f', 1]]]],
  'phases in turn': [
    ['phase', 'begin', 1],
    ['phase', 'write', 1],
  ],
  'a name with quotes': [['template', '"\\\n\ud800', 1]],
}

describe('a speedscope profile', () => {
  it.each(Object.entries(cases))('follows the format: %s', (_, works) => {
    const written: Speedscope = JSON.parse(formatSpeedscope(scriptedProfile(...works), 'Title'))
    expect(written).toMatchObject({
      $schema: 'https://www.speedscope.app/file-format-schema.json',
      name: 'Title',
      activeProfileIndex: 0,
      profiles: [{ type: 'evented', name: 'Title', unit: 'milliseconds', startValue: 0 }],
    })
    const [{ events, endValue } = { events: [], endValue: 0 }] = written.profiles
    // Each end is the end of the frame that was opened last, and time does not go back.
    const open: number[] = []
    let last = 0
    for (const { type, frame, at } of events) {
      expect(at).toBeGreaterThanOrEqual(last)
      last = at
      if (type === 'O') {
        expect(written.shared.frames[frame]).toBeDefined()
        open.push(frame)
      } else expect(open.pop()).toBe(frame)
    }
    expect(open).toEqual([])
    expect(endValue).toBe(last)
  })

  it('names frames by kind and name, each once', () => {
    const { shared, profiles }: Speedscope = JSON.parse(
      formatSpeedscope(scriptedProfile(...cases['nested work']!), 'T'),
    )
    expect(shared.frames).toEqual([{ name: 'phase evaluate' }, { name: 'class a' }, { name: 'function f' }])
    expect(profiles[0]!.events.map(({ type, frame, at }) => `${type}${frame}@${at}`)).toEqual([
      ...['O0@0', 'O1@1', 'O2@3', 'C2@3', 'O2@3', 'C2@7', 'C1@7', 'C0@7'],
    ])
  })
})
