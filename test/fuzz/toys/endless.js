/** Never comes back from an exclamation mark. @type {import('../target.js').Target} */
export default {
  name: 'endless',
  seeds: ['?'],
  dictionary: ['!'],
  run(bytes) {
    while (bytes.includes(0x21));
  },
}
