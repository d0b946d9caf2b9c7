package main

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"runtime"
	"runtime/debug"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

// A page is what page.html shows.
type page struct {
	CSS       template.CSS
	Which     *tabled
	Choices   []takeaway
	Takeaways []takeaway
	Restarts  []restarts
	Charts    []picture
	Tables    []*tabled
	Columns   []column
	Notes     []string
}

type picture struct {
	Title, Lead  string
	Wide, Narrow template.HTML
	Legend       []legend
}

type legend struct{ Name, Hue, Dash string }

// restarts are the bars of the rolling restart at one size.
type restarts struct {
	Title string
	Bars  []bars
}

type bars struct {
	Name, Kind       string
	Own, Moves       string
	OwnPart, MovesPt string // lengths, in percent
}

type tabled struct {
	Title  string
	Blocks []block
	Heads  []column
	Rows   []row
}

type block struct {
	Name string
	Span int
}

type row struct {
	Name, About, Kind string
	Histories         int
	Cells             []cell
}

type cell struct {
	Text string
	Heat string // 0 the best of the column, 1 the worst
	New  bool   // begins a block
}

// The methods are for page.html, which sees no unexported fields.

func (c column) Block() string  { return c.block }
func (c column) Name() string   { return c.name }
func (c column) Means() string  { return c.means }
func (c column) Better() string { return c.better.String() }
func (c column) Arrow() string {
	if c.better == higher {
		return "↑"
	}
	return "↓"
}

// writePage writes one page that needs nothing else.
func writePage(w io.Writer, all []*comparison, charts []*chart, sum *summary, says []takeaway) error {
	p := &page{CSS: template.CSS(pageCSS), Takeaways: says, Columns: columns(), Notes: remarks(all)}
	if sum != nil {
		p.Which, p.Choices = newTabled(sum.title, sum.rows, sum.columns), sum.choices
	}
	for _, c := range charts {
		pic := picture{Title: c.title, Lead: c.lead}
		var err error
		if pic.Wide, pic.Narrow, err = c.pictures(); err != nil {
			return err
		}
		for _, l := range c.lines {
			pic.Legend = append(pic.Legend, legend{l.name, l.hue, l.dash.String()})
		}
		p.Charts = append(p.Charts, pic)
	}
	for _, c := range all {
		p.Tables = append(p.Tables, newTabled(c.title(), c.results, columns()))
		if r := c.restarts(); len(r.Bars) > 0 {
			p.Restarts = append(p.Restarts, r)
		}
	}
	t, err := template.New("page").Parse(pageHTML)
	if err != nil {
		return err
	}
	return t.Execute(w, p)
}

// restarts returns the bars: what is a returning member's own, and at what
// price, on a scale of powers from 2 to the most.
func (c *comparison) restarts() restarts {
	out := restarts{Title: c.size.String()}
	own, moves := valueOf("roll_own_back"), valueOf("roll_moves")
	most := 4.0
	for _, r := range c.results {
		if r.rolled {
			most = max(most, moves(r))
		}
	}
	for _, r := range c.results {
		if !r.rolled {
			continue
		}
		out.Bars = append(out.Bars, bars{
			Name: r.algorithm.name, Kind: string(r.algorithm.kind),
			Own: percentage(own(r)) + " %", Moves: fixed(2)(moves(r)),
			OwnPart: fixed(2)(100 * own(r)),
			MovesPt: fixed(2)(2 + 98*math.Log(max(moves(r)/2, 1))/math.Log(most/2)),
		})
	}
	return out
}

func newTabled(title string, results []*result, columns []column) *tabled {
	t := &tabled{Title: title, Heads: columns}
	for _, col := range t.Heads {
		if n := len(t.Blocks); n > 0 && t.Blocks[n-1].Name == col.block {
			t.Blocks[n-1].Span++
		} else {
			t.Blocks = append(t.Blocks, block{col.block, 1})
		}
	}
	for _, r := range results {
		row := row{Name: r.algorithm.name, About: r.algorithm.about, Kind: string(r.algorithm.kind), Histories: r.effort.histories}
		for i, col := range t.Heads {
			row.Cells = append(row.Cells, cell{col.show(r), col.heat(results, r), i == 0 || t.Heads[i-1].block != col.block})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// heat tells where a figure stands between the best and the worst of its
// column: in proportion, or by powers where they are further apart than 1:10.
func (c *column) heat(results []*result, r *result) string {
	low, high := math.Inf(1), math.Inf(-1)
	for _, r := range results {
		if v := c.of(r); !math.IsNaN(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	v := c.of(r)
	if math.IsNaN(v) || low == high {
		return "0"
	}
	scale := func(v float64) float64 { return v }
	if low > 0 && high/low > 10 {
		scale = math.Log
	}
	part := (scale(v) - scale(low)) / (scale(high) - scale(low))
	if c.better == higher {
		part = 1 - part
	}
	return fixed(2)(part)
}

// remarks tell how all this came about.
func remarks(all []*comparison) []string {
	return []string{
		"Every algorithm plays the same histories: a group starts, a member joins, another leaves, then all leave and come back under their names, one by one, then some leave and others join for a while, each time after the group has settled. Names of members and topics and who goes when are drawn from fixed seeds. " + played(all),
		"kgo’s balancers are driven as its group consumer drives them, without a broker: a restarted process has a new member ID and claims nothing, all others claim what they have. The others see who is in the group and nothing else.",
		notes,
		fmt.Sprintf("%s, franz-go %s, %s/%s, %s.", runtime.Version(), versionOf("github.com/twmb/franz-go"), runtime.GOOS, runtime.GOARCH, plural(runtime.GOMAXPROCS(0), "processor")),
	}
}

func versionOf(module string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == module {
				return m.Version
			}
		}
	}
	return "(unknown version)"
}
