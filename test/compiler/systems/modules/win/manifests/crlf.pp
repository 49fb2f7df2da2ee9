# Line breaks of Windows in code.␍
class win::crlf {␍
  $text = 'one␍
two'␍
  file { 'C:/crlf.txt':␍
    content => "${text}␍
three",␍
  }␍
}␍
