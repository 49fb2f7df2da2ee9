import { expect, it } from 'vitest'
import { getArticle } from '../../../src/base/text/article.ts'

it.each([
  ['an', ['Array', 'integer', 'Ypsilon', "'if' statement", '"a"', '`e`', '<unknown>']],
  ['a', ['Block', "'' String", "'''a'", '', '<', 'été', '9']],
])('%s goes with %j', (word, texts) => {
  expect(texts.filter((text) => getArticle(text) !== word)).toEqual([])
})
