import { expect } from 'vitest'
import { compile } from '../../src/compiler/compile.ts'
import type { CompileRequest } from '../../src/compiler/request/compile-request.ts'

// Ruby that looks for garbage each time that it makes an object says what it says else. A live object that is taken for
// garbage then is found out at once, and not in one of a thousand catalogs.

/** At each object, Ruby looks for garbage among all, which takes 6 ms, or among those that are new: 0.5 ms. */
export const stress: Readonly<Record<'all' | 'young', string>> = { all: 'true', young: '1' }

/** What a manifest comes to, in one text. */
function outcome(request: CompileRequest, environment: string, text: string): string {
  try {
    const { catalog, logs } = compile({
      ...request,
      environment: { ...request.environment, name: environment, manifest: { text } },
    })
    const resources = catalog.resources.map(({ type, title, parameters }) => [type, title, [...parameters]])
    return JSON.stringify([logs.map(({ level, message }) => [level, message]), resources])
  } catch (error) {
    return `! ${(error as Error).message}`
  }
}

/** Manifests that come to another thing when Ruby looks for garbage among new objects at each. */
export function changed(request: CompileRequest, manifests: readonly string[]) {
  const set = `notice(inline_template('<% GC.stress = ${stress.young} %>'))`
  const count = () => {
    const said = outcome(request, 'stress', countCollections)
    expect(said).toMatch(/\["notice","\d+"\]/)
    return Number(/\["notice","(\d+)"\]/.exec(said)![1])
  }
  outcome(request, 'stress', set)
  const before = count()
  const stressed = manifests.map((text) => outcome(request, 'stress', text))
  expect(count() - before).toBeGreaterThan(manifests.length * 50)
  return manifests.flatMap((text, index) => {
    const calm = outcome(request, 'calm', text)
    return calm === stressed[index] ? [] : [{ text, calm, stressed: stressed[index] }]
  })
}

const countCollections = "notice(inline_template('<%= GC.count %>'))"
