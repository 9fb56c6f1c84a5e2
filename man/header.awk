# awk -v header=NAME -v date=DATE -v others="PAGE..." -f header.awk NAME.h NAME.h: the page of section 3 for a
# header of the library: its first comment is the description with the example, the others explain what they
# stand before. The first pass finds the functions, by whose names man(1) finds the page.

function plain(text) {
	gsub(/\\/, "\\e", text)
	return text ~ /^[.']/ ? "\\&" text : text
}

# The text of a comment: @arguments and functions() stand out.
function told(text,    done, word) {
	text = plain(text)
	while (match(text, /@[a-z_]+|[a-z_-]+\([0-9]?\)/)) {
		word = substr(text, RSTART, RLENGTH)
		if (word ~ /^@/)
			word = "\\fI" substr(word, 2) "\\fP"
		else
			word = "\\fB" substr(word, 1, index(word, "(") - 1) "\\fP" substr(word, index(word, "("))
		done = done substr(text, 1, RSTART - 1) word
		text = substr(text, RSTART + RLENGTH)
	}
	return done text
}

function code(text) {
	gsub(/\\/, "\\e", text)
	gsub(/-/, "\\-", text)
	gsub(/'/, "\\(aq", text)
	gsub(/"/, "\\(dq", text)
	gsub(/\t/, "        ", text)
	return text ~ /^[.]/ ? "\\&" text : text
}

function show_code(    i) {
	if (!nr_code)
		return
	print ".PP\n.nf"
	for (i = 1; i <= nr_code; i++)
		print code(lines[i])
	print ".fi"
	nr_code = 0
}

# What was declared, then what its comment says.
function show_declared() {
	if (!nr_code && !nr_told)
		return
	show_code()
	if (nr_told) {
		print ".RS"
		for (i = 1; i <= nr_told; i++)
			print notes[i] == "" ? ".PP" : told(notes[i])
		print ".RE"
	}
	nr_told = 0
}

# Ends the first comment: the page begins.
function begin_page(    i, colon, name, line) {
	name = first[1]
	for (i = 2; name !~ /\./ && i <= nr_first; i++)
		name = name " " first[i]
	colon = index(name, ": ")
	name = colon ? substr(name, colon + 2) : name
	sub(/\..*/, "", name)
	print ".TH " toupper(page) " 3 " date " readperf \"Library Functions\"\n.nh\n.SH NAME"
	print page functions " \\- " plain(name)
	print ".SH SYNOPSIS\n.nf\n.B #include <readperf/" header ".h>\n.PP\n.B cc program.c $(pkg\\-config \\-\\-cflags \\-\\-libs readperf)\n.fi"
	print ".SH DESCRIPTION"
	for (i = 1; i <= nr_first; i++) {
		line = first[i]
		if (line ~ /^\t/ || (nr_code && line == "")) {
			sub(/^\t/, "", line)
			lines[++nr_code] = line
			continue
		}
		show_code()
		print line == "" ? ".PP" : told(line)
	}
	show_code()
}

BEGIN { page = header == "readperf" ? "libreadperf" : "readperf_" header }

FNR == NR {
	if (/^(READPERF_API|readperf_)/ && match($0, /readperf_[a-z_]+\(/))
		functions = functions ",\n" substr($0, RSTART, RLENGTH - 1)
	next
}

# ---- the first comment
state == 0 && /^\/\*$/ { state = 1; next }
state == 1 && /^ \*\/$/ { begin_page(); state = 2; next }
state == 1 { sub(/^ \* ?/, ""); first[++nr_first] = $0; next }

# ---- what is no declaration
/^#|^extern "C"|^}$/ { next }
/^struct readperf_[a-z]+;$/ && !nr_told { next }
/^\/\* ---- .* -+ \*\/$/ {
	show_declared()
	sub(/^\/\* ---- /, "")
	sub(/ -+ \*\/$/, "")
	print ".SH " toupper($0)
	next
}

# ---- comments, then what they stand before
/^\/\*\*? .*\*\/$/ {
	show_declared()
	sub(/^\/\*\*? /, "")
	sub(/ \*\/$/, "")
	notes[++nr_told] = $0
	next
}
/^\/\*\*?$/ { show_declared(); state = 3; next }
state == 3 && /^ \*\/$/ { state = 2; next }
state == 3 { sub(/^ \* ?/, ""); notes[++nr_told] = $0; next }
$0 != "" { sub(/^READPERF_API /, ""); sub(/^\t\t+ */, "    "); lines[++nr_code] = $0 }
END {
	show_declared()
	print ".SH SEE ALSO"
	n = split(others, all, " ")
	for (i = 1; i <= n; i++)
		if (all[i] != page)
			print ".BR " all[i] " (3),"
	print ".BR readperf (1),\n.BR readperf\\-csv (5)"
}
