/** Needs all memory for an exclamation mark. @type {import('../target.js').Target} */
export default {
  name: 'hungry',
  seeds: ['?'],
  dictionary: ['!'],
  run(bytes) {
    const all = []
    while (bytes.includes(0x21)) all.push({ number: all.length, text: `${all.length}` })
  },
}
