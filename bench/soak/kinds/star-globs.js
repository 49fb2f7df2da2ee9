// Globs of many stars, and a great many globs, to be left out of a list of files.
import { captured } from '../place.js'

const path = '/puppet/v3/file_metadatas/plugins?environment=production&recurse=true&links=follow&checksum_type=sha256'
const shapes = [
  `&ignore=${'*a'.repeat(26)}*b`,
  `&ignore=${'*'.repeat(300)}b`,
  `&ignore=${'*_'.repeat(20)}%5B`,
  `&ignore=${'**/'.repeat(100)}x`,
  '&ignore=*a*b*c*d'.repeat(700),
]
let count = 0

export const starGlobs = {
  every: 10,
  async act({ ask }) {
    return (await ask(captured[4], { path: `${path}${shapes[count++ % shapes.length]}` })).status
  },
}
