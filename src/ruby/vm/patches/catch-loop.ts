import { storeCaptured } from './mark-left-frames.ts'
import { asyncifyStates, type Patch, type RubyBinary } from './ruby-binary.ts'
import {
  all,
  body,
  type Code,
  callPointer,
  get,
  isEqual,
  isLess,
  load,
  loopWhile,
  number,
  set,
  store,
  when,
} from './wasm-code.ts'

/** Restores the stack pointer after a jump, and frees the buffers of skipped jump targets. */
export const catchLoop: Patch = {
  name: 'catch-loop',
  purpose: 'Exceptions, `throw` and `break` use up neither the stack nor memory.',
  /**
   * CRuby 4.0 restores the stack pointer from this member and frees the buffers (ruby/ruby#12995,
   * ruby/ruby#13142).
   */
  isFixed: (ruby) => ruby.hasMember('rb_wasm_try_catch.stack_pointer'),
  replacements(ruby) {
    if (ruby.hasFunction('rb_vm_tag_jmpbuf_deinit'))
      throw new Error('CRuby frees jump buffers in a function of its own')
    ruby.expectCode('rb_wasm_try_catch_loop_run', storeCaptured(ruby))
    ruby.expectCode('rb_wasm_try_catch_loop_run', ruby.variable('_rb_wasm_active_jmpbuf'))
    ruby.expectCode('rb_wasm_try_catch_loop_run', ruby.call('asyncify_stop_rewind'))
    return [[ruby.function('rb_wasm_try_catch_loop_run'), () => runAndCatch(ruby)]]
  },
}

/**
 * Runs Ruby code, and continues with its `rescue` after each jump to it, like the original
 * function. The stack pointer is stored in a member of the jump buffer that this kind of target
 * does not use, since fibers leave and re-enter the function. Frees the jump buffer if a jump goes
 * further out.
 */
function runAndCatch(ruby: RubyBinary): Code {
  const [trial, jump, work, target] = [get(0), get(1), get(2), get(2)]
  const state = ruby.offset('rb_wasm_jmp_buf.state')
  const keptPointer = ruby.offset('rb_wasm_jmp_buf.dst_buf_top')
  const phase = ruby.offset('rb_wasm_try_catch.state')
  const captured = ruby.constant('JMP_BUF_STATE_CAPTURED')
  const rescue = ruby.constant('TRY_CATCH_PHASE_RESCUE')
  const [workMember, rescueMember] = [ruby.offset('rb_wasm_try_catch.try_f'), ruby.offset('rb_wasm_try_catch.catch_f')]
  const activeJump = ruby.variable('_rb_wasm_active_jmpbuf')
  const isUnwinding = isEqual(ruby.asyncifyState, number(asyncifyStates.unwinding))
  const argument = load(trial, ruby.offset('rb_wasm_try_catch.context'))
  const run = when(work, callPointer(ruby.type('ruby_xfree'), work, argument))
  const targetFrame = load(ruby.variable('ruby_current_ec'), ruby.offset('rb_execution_context_struct.tag'))
  const isReturning = isEqual(load(target, state), ruby.constant('JMP_BUF_STATE_RETURNING'))
  return body(
    1,
    when(isEqual(ruby.asyncifyState, number(asyncifyStates.running)), store(jump, keptPointer, ruby.stackPointer)),
    store(jump, state, captured),
    when(isEqual(load(trial, phase), ruby.constant('TRY_CATCH_PHASE_MAIN')), set(2, load(trial, workMember))),
    when(isEqual(load(trial, phase), rescue), set(2, load(trial, rescueMember))),
    run,
    loopWhile(
      all(isUnwinding, isEqual(activeJump, jump)),
      ruby.call('asyncify_stop_rewind'),
      ruby.setStackPointer(load(jump, keptPointer)),
      store(jump, state, captured),
      store(trial, phase, rescue),
      ruby.setVariable('_rb_wasm_active_jmpbuf', number(0)),
      set(2, load(trial, rescueMember)),
      run,
    ),
    when(
      isUnwinding,
      set(2, activeJump),
      when(target, when(all(isReturning, isLess(trial, targetFrame)), ruby.call('ruby_xfree', jump))),
    ),
  )
}
