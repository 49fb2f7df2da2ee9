import type { Patch, RubyBinary } from './ruby-binary.ts'
import {
  add,
  body,
  type Code,
  callPointer,
  get,
  giveNothing,
  isZero,
  load,
  number,
  set,
  store,
  when,
} from './wasm-code.ts'

/** Gives the collector space for the local variables of all running functions. */
export const scanBuffer: Patch = {
  name: 'scan-buffer',
  purpose: 'The garbage collector runs below more than seventy nested blocks.',
  replacements(ruby) {
    ruby.expectCode('rb_wasm_handle_scan_unwind', ruby.variable('_rb_wasm_active_scan_buf'))
    ruby.expectCode('rb_wasm_scan_locals', ruby.setVariable('rb_asyncify_unwind_buf', ruby.address(ownBuffer)))
    return [
      [ruby.function('rb_wasm_scan_locals'), () => scanLocals(ruby)],
      [ruby.function('rb_wasm_handle_scan_unwind'), () => noteScanned(ruby)],
    ]
  },
}

/** CRuby's own buffer, of 24 KiB. */
const ownBuffer = 'rb_wasm_scan_locals.buf'

/**
 * Offsets in CRuby's buffer. Asyncify uses the first two fields: the address of the next write, and the end of the
 * buffer. We store the other fields in the 24 KiB after them: the address of the larger buffer, the end of the last
 * scan's data, a flag for a running scan, and a small buffer for use if the larger one cannot be allocated.
 */
const offsets = { top: 0, end: 4, room: 8, written: 12, isScanning: 16, ownRoom: 20 } as const
/** Size of the larger buffer in bytes; more than the local variables of all functions on a thread's stack. */
const roomBytes = 1024 * 1024

/**
 * Calls `scan` with the local variables of all running functions: unwinds the stack, which writes the variables to the
 * buffer, and rewinds it.
 */
function scanLocals(ruby: RubyBinary): Code {
  const [scan, start] = [get(0), get(1)]
  const buffer = ruby.address(ownBuffer)
  const ownEnd = add(buffer, number(ruby.size('asyncify_buf')))
  return body(
    1,
    when(
      isZero(load(buffer, offsets.isScanning)),
      when(isZero(load(buffer, offsets.room)), store(buffer, offsets.room, ruby.call('malloc', number(roomBytes)))),
      set(1, load(buffer, offsets.room)),
      store(buffer, offsets.end, add(start, number(roomBytes))),
      when(isZero(start), set(1, add(buffer, number(offsets.ownRoom))), store(buffer, offsets.end, ownEnd)),
      store(buffer, offsets.top, start),
      store(buffer, offsets.isScanning, number(1)),
      ruby.setVariable('_rb_wasm_active_scan_buf', buffer),
      ruby.setVariable('rb_asyncify_unwind_buf', buffer),
      ruby.call('asyncify_start_unwind', buffer),
      giveNothing,
    ),
    ruby.call('asyncify_stop_rewind'),
    ruby.setVariable('_rb_wasm_active_scan_buf', number(0)),
    store(buffer, offsets.isScanning, number(0)),
    callPointer(ruby.type('rb_gc_mark_locations'), scan, load(buffer, offsets.top), load(buffer, offsets.written)),
  )
}

/** Called when a scan has unwound the stack: records the end of the variables, and returns the scan's buffer. */
function noteScanned(ruby: RubyBinary): Code {
  const buffer = ruby.variable('_rb_wasm_active_scan_buf')
  return body(0, when(buffer, store(buffer, offsets.written, load(buffer, offsets.top))), buffer)
}
