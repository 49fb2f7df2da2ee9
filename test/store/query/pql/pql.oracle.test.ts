import { expect, it } from 'vitest'
import { without } from '../../../support/needs.ts'
import { seed } from '../../../support/nightly.ts'
import { realPql } from './oracle.js'
import { canonical, outcome } from './outcomes.ts'
import { pqlQueries } from './queries.js'
import { randomPql } from './random.js'

const missing = without('PuppetDB 7.12')

it.skipIf(missing)(`PQL is read as a real PuppetDB reads it now${missing}`, () => {
  const texts = [...pqlQueries, ...randomPql(seed, 3000)]
  expect(texts.map(outcome), `random texts of seed ${seed}`).toEqual(realPql(texts).map(canonical))
})
