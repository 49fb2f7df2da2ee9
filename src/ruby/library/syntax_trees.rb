require 'json'
require 'ripper'

# Syntax trees of the calls that define documented items, read from Ruby code without running it. The trees have the
# positions and comments that puppet-strings and YARD give them: offsets count the tokens in the order in which Ruby's
# lexer returns them, where the body of a heredoc comes before the rest of its first line.
module Plumb
  module SyntaxTrees
    # Calls that define an item.
    DEFINING = %w[
      create_type create_function newfunction newtype newparam newproperty ensurable provide register_type
    ].freeze
    CALLS = %i[call command_call fcall command vcall].freeze
    MAGIC = [/\A\s*#!\S+/, /\A\s*#+.*coding\s*[:=]{1,2}\s*[a-z\d_-]+/i, /frozen[-_]string[-_]literal:\s+(true|false)/i].freeze

    # The nodes of the defining calls of a file, as JSON, or the first syntax error as [line, message].
    def self.read(text, most)
      root, error = Builder.tree(text)
      return error if error

      rows = []
      roots = statements(root).map { |call| add_rows(call, rows, most) }
      JSON.generate([roots, rows])
    end

    # Adds a row for the node and for each below it, which come first: [type, start, finish, line, text, comment, rows of
    # the parts]. Returns the number of the node's row. Nothing recurs here: WebAssembly's stack is small. Of a method only
    # the name and the parameters are kept.
    def self.add_rows(root, rows, most)
      pending = [[root, nil]]
      numbers = []
      while (node, count = pending.pop)
        if node.nil?
          numbers << nil
        elsif count
          raise ArgumentError, "its definitions exceed #{most} expressions" if rows.size >= most

          parts = numbers.pop(count)
          rows << node.to_row(parts, rows)
          numbers << (rows.size - 1)
        else
          children = node.type == :def ? node.children.first(2) : node.children
          pending << [node, children.size]
          children.reverse_each { |child| pending << [child.is_a?(Node) ? child : nil, nil] }
        end
      end
      numbers.first
    end

    # A node. `start` and `finish` are offsets in characters, `finish` is exclusive. A node without positions of its own
    # has those of its parts.
    class Node
      attr_reader :type, :children, :text
      attr_accessor :comment

      def initialize(type, children, start = nil, finish = nil, line = nil, text = nil)
        @type = type
        @children = children
        @start = start
        @finish = finish
        @line = line
        @text = text
      end

      def parts = @children.grep(Node)

      def first = @children.find { |child| child.is_a?(Node) }
      def last = @children.reverse_each.find { |child| child.is_a?(Node) }

      def own_start = @start
      def own_line = @line

      # Without recursion: a sum of many terms is a deep tree.
      def start = (node = self; node = node.first until node.nil? || node.own_start; node&.own_start)
      def line = (node = self; node = node.first until node.nil? || node.own_line; node&.own_line)

      # The row of the node; a node without positions has those of its first and last part.
      def to_row(parts, rows)
        placed = @start && @finish && @line ? [] : parts.filter_map { |part| part && rows[part][1] && rows[part] }
        [@type, @start || placed.first&.at(1), @finish || placed.last&.at(2), @line || placed.first&.at(3), @text, @comment, parts]
      end
    end

    # Calls at the level of the file, and of its modules, classes and conditions.
    def self.statements(node)
      found = []
      pending = [node]
      while (each = pending.pop)
        case each.type
        when :module then pending << each.parts.last
        when :class, :sclass then pending << each.parts.last
        when :if, :unless, :elsif then pending.concat(each.parts.drop(1).reverse)
        when :if_mod, :unless_mod then pending << each.parts.last
        when :list, :else then pending.concat(each.parts.reverse)
        else found << each if CALLS.include?(each.type) && DEFINING.include?(each.children[1]&.text)
        end
      end
      found
    end

    # Builds the tree of a file from the events of Ruby's parser.
    class Builder < Ripper
      def self.tree(text)
        parser = new(text)
        root = parser.parse
        return [nil, parser.failure] if parser.failure
        return [nil, [1, 'it does not parse']] if parser.error? || root.nil?

        parser.attach_comments(root)
        [root, nil]
      end

      attr_reader :failure

      def initialize(*)
        super
        @offset = 0
        @open = []
        @closed = {}
        @operators = Hash.new { |all, name| all[name] = [] }
        @comments = {}
        @last = nil
      end

      # A token: its offset follows from the tokens before it.
      def token(type, tok)
        start = @offset
        @offset = @offset_of_last = start + tok.size
        @last = type
        @line_of_last = lineno
        Node.new(type, [], start, @offset, @line_of_last, tok)
      end

      def take(tok)
        @offset += tok.size
      end

      # The node from its opening to its closing token.
      def closed(kind, type, children)
        start, line = @closed[kind]
        Node.new(type, children, start, @offset_of_last, line)
      end

      def list(*children) = Node.new(:list, children)

      SCANNER_EVENTS.each { |event| define_method(:"on_#{event}") { |tok| token(event, tok) } }

      PARSER_EVENT_TABLE.each do |event, arity|
        name = event.to_s
        if arity.zero? && name.end_with?('_new')
          define_method(:"on_#{event}") { list }
        elsif name.match?(/_add(_.+)?\z/)
          define_method(:"on_#{event}") do |node, child|
            node.children << child
            node
          end
        else
          define_method(:"on_#{event}") { |*args| Node.new(event, args) }
        end
      end

      { lparen: '(', lbracket: '[', lbrace: '{', tlambeg: '{', embexpr_beg: '{', tstring_beg: '"', heredoc_beg: '"',
        regexp_beg: '/', symbeg: ':', qwords_beg: '%', words_beg: '%', qsymbols_beg: '%', symbols_beg: '%',
        backtick: '`' }.each do |event, kind|
        define_method(:"on_#{event}") do |tok|
          node = token(event, tok)
          # A backtick ends the command that one begins; a symbol like `:a` has no closing token.
          next close(node) if event == :backtick && @open.last&.first == '`'

          event == :symbeg && tok == ':' ? @symbol = [node.start, lineno] : @open << [kind, node.start, lineno]
          node
        end
      end

      %i[rparen rbracket rbrace embexpr_end tstring_end heredoc_end regexp_end label_end].each do |event|
        define_method(:"on_#{event}") do |tok|
          node = token(event, tok)
          close(node)
        end
      end

      def close(node)
        kind, start, line = @open.pop
        @closed[kind] = [start, line] if kind
        node
      end

      %i[kw op tlambda].each do |event|
        define_method(:"on_#{event}") do |tok|
          node = token(event, tok)
          @operators[tok] << [node.start, lineno]
          node
        end
      end

      # The last of these words before an offset.
      def before(word, offset)
        places = @operators[word]
        at = places.bsearch_index { |start, _| start >= offset } || places.size
        at.zero? ? nil : places[at - 1]
      end

      def on_program(body) = body

      def on_bodystmt(*parts)
        parts.compact.size == 1 ? parts.first : list(*parts.compact)
      end

      def on_void_stmt = Node.new(:void_stmt, [], @offset, @offset, lineno)

      # Calls: [receiver, name, arguments, block].
      def on_call(receiver, _operator, name) = call(:call, receiver, name)
      def on_command_call(receiver, _operator, name, arguments) = call(:command_call, receiver, name, arguments)
      def on_fcall(name) = call(:fcall, nil, name)
      def on_command(name, arguments) = call(:command, nil, name, arguments)
      def on_vcall(name) = call(:vcall, nil, name)

      def call(type, receiver, name, arguments = nil)
        Node.new(type, [receiver, name.is_a?(Node) ? name : nil, arguments, nil])
      end

      def on_method_add_arg(node, arguments)
        return node unless CALLS.include?(node.type)

        call(node.type, node.children[0], node.children[1], arguments)
      end

      def on_method_add_block(node, block)
        return Node.new(:other, [node, block]) unless CALLS.include?(node.type)

        Node.new(node.type, [*node.children[0, 3], block])
      end

      # The last part is the block argument, or nil. Arguments that end with a comma have no such part, and lose their last
      # argument, as in puppet-strings.
      def on_args_add_block(node, block)
        node.children << (block || nil)
        node
      end

      def on_arg_paren(arguments) = closed('(', :arg_paren, [arguments])
      def on_paren(content) = closed('(', :paren, [content])

      def on_do_block(parameters, body)
        Node.new(:do_block, [parameters, body], nil, @offset_of_last)
      end

      def on_brace_block(parameters, body) = closed('{', :brace_block, [parameters, body])
      def on_hash(content) = closed('{', :hash, content ? content.children : [])
      def on_assoclist_from_args(pairs) = list(*pairs)
      def on_bare_assoc_hash(pairs) = list(*pairs)
      def on_assoc_new(key, value) = Node.new(:assoc, [key, value])
      def on_string_literal(content) = closed('"', :string_literal, [content])
      def on_regexp_literal(content, _end) = closed('/', :regexp_literal, [content])
      def on_string_embexpr(content) = closed('{', :string_embexpr, [content])
      def on_symbol(name) = Node.new(:symbol, [name], @symbol&.first, nil, @symbol&.last)
      def on_symbol_literal(symbol) = Node.new(:symbol_literal, [symbol])
      def on_lambda(parameters, body) = operated('->', :lambda, [parameters, body])

      def on_array(content)
        words = content.is_a?(Node) && %i[words qwords symbols qsymbols].include?(content.type)
        closed(words ? '%' : '[', :array, words || content.nil? ? [] : content.children)
      end

      %i[words qwords symbols qsymbols].each do |kind|
        define_method(:"on_#{kind}_new") { Node.new(kind, []) }
      end

      def on_aref(receiver, arguments)
        Node.new(:aref, [receiver, arguments], receiver&.start, @offset_of_last, receiver&.line)
      end

      def on_unary(operator, operand) = operated(operator.to_s[0], :unary, [operand])

      # A node that starts with an operator.
      def operated(operator, type, children)
        first = children.grep(Node).first
        start, line = before(operator, first&.start || @offset)
        Node.new(type, children, start, nil, line)
      end

      def on_binary(left, _operator, right) = Node.new(:binary, [left, right])

      # A body without statements of its own is not the value of the definition.
      def on_def(name, parameters, body)
        _, line = before('def', name.start)
        Node.new(:def, [name, parameters, body], nil, nil, line)
      end

      def on_if_mod(condition, body) = Node.new(:if_mod, [condition, body], body.start, nil, body.line)

      def on_unless_mod(condition, body)
        Node.new(:unless_mod, [condition, body], body.start, nil, body.line)
      end

      # [required, optional, rest, block], each a list; optional parameters are pairs of a name and a value.
      def on_params(required, optional, rest, post, keywords, keyword_rest, block)
        nodes = Node
        pairs = (optional || []).map { |name, value| nodes.new(:assoc, [name, value]) }
        others = [post, keywords, keyword_rest].flatten.grep(nodes)
        starred = rest.is_a?(nodes) && rest.type == :rest_param ? rest.children.grep(nodes) : []
        nodes.new(:params, [list(*(required || [])), list(*pairs), list(*starred),
                            list(*(block.is_a?(nodes) ? block.children.grep(nodes) : [])), list(*others)])
      end

      def on_comment(tok)
        is_first = @last.nil?
        take(tok)
        return if is_first && MAGIC.any? { |pattern| tok.match?(pattern) }

        @last = :comment
        add_comment(tok)
      end

      # A comment in the same column as the one on the line above continues it.
      def add_comment(tok)
        text = tok.gsub(/^#+\s?/, '').chomp
        continues = @comments.key?(lineno - 1) && @comment_column == column && @line_of_last != lineno
        @comments[lineno] = (continues ? @comments.delete(lineno - 1) : []) << text
        @comment_column = column
        nil
      end

      def on_embdoc_beg(tok)
        take(tok)
        @last = :comment
        @embedded = +''
      end

      def on_embdoc(tok)
        take(tok)
        @embedded << tok
      end

      def on_embdoc_end(tok)
        take(tok)
        @comment_column = nil
        @comments[lineno] = [@embedded]
      end

      %i[sp nl ignored_nl].each do |event|
        define_method(:"on_#{event}") do |tok|
          take(tok)
          nil
        end
      end

      def on_parse_error(message)
        @failure ||= [lineno, message]
        nil
      end
      %i[on_alias_error on_assign_error on_class_name_error on_param_error].each do |event|
        define_method(event) { |message, *| on_parse_error(message.to_s) }
      end

      # Gives each comment to the first node of a list whose line is the comment's or one of the two after it. A comment
      # further above belongs to no node.
      def attach_comments(root)
        lines = @comments.keys.sort
        pending = [[root, false]]
        while !lines.empty? && (node, is_listed = pending.pop)
          attach_comment(%i[if_mod unless_mod].include?(node.type) ? node.last : node, lines) if is_listed
          is_list = node.type == :list
          node.children.reverse_each { |child| pending << [child, is_list] if child.is_a?(Node) }
        end
      end

      def attach_comment(node, lines)
        return if node.type == :list || node.type == :void_stmt

        number = node.line or return
        line = [number - 1, number - 2, number].find { |each| @comments.key?(each) && @comments[each] != [''] }
        node.comment = @comments.delete(line).join("\n") if line
        @comments.delete(lines.shift) while lines.first && lines.first < number
      end
    end
  end
end
