// Files of commits with names that are none.
import { Breach } from '../attack.js'
import { captured } from '../place.js'

const ids = [
  'HEAD',
  'production',
  '0'.repeat(40),
  'f'.repeat(40),
  '-1',
  '--help',
  'HEAD:environment.conf',
  'a'.repeat(7000),
  '%00',
  '../../etc',
  '',
]
const files = [
  'modules/ssh/files/part0.conf',
  'modules/ssh/files/../../../environment.conf',
  'site/profile/files/large.bin',
]

export const oddCodeIds = {
  every: 5,
  act: ({ together, ask }) =>
    together(ids.length, async (number) => {
      const id = encodeURIComponent(ids[number])
      const path = `/puppet/v3/static_file_content/${files[number % files.length]}?environment=production&code_id=${id}`
      const { status } = await ask(captured[5], { path })
      if (status === 200) throw new Breach(`the code_id '${ids[number].slice(0, 50)}' gave a file`)
      return status
    }),
}
