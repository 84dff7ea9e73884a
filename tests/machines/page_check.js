/* Put at the end of a copy of report.html: looks at the page as it is rendered, and tells the page around it
 * what it found, a line of TAP a check, by postMessage. */
(function () {
"use strict";
var lines = [];
function check(name, wrong) {
    lines.push((wrong.length ? "not ok - " : "ok - ") + name);
    wrong.slice(0, 5).forEach(function (what) { lines.push("# " + what); });
}
function all(selector, from) { return [].slice.call((from || document).querySelectorAll(selector)); }
function short(element) {
    return element.tagName + "#" + element.id + "." + element.getAttribute("class") + " " +
        element.textContent.trim().slice(0, 40);
}

/* WCAG 2.1, 1.4.3: relative luminance and contrast ratio. */
function channels(color) { return (color.match(/[\d.]+/g) || []).map(Number); }
function luminance(c) {
    var l = c.slice(0, 3).map(function (v) {
        v /= 255;
        return v <= 0.03928 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4);
    });
    return 0.2126 * l[0] + 0.7152 * l[1] + 0.0722 * l[2];
}
function ratio(a, b) {
    var x = luminance(a), y = luminance(b);
    return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}
function background(element) {
    for (; element; element = element.parentElement) {
        var c = channels(getComputedStyle(element).backgroundColor);
        if (c.length === 3 || c[3] > 0) { return c; }
    }
    return [255, 255, 255];
}
function hasText(element) {
    return [].some.call(element.childNodes, function (n) { return n.nodeType === 3 && n.data.trim(); });
}
function contrast() {
    var wrong = [];
    all("body *").filter(hasText).forEach(function (e) {
        if (/^(SCRIPT|STYLE|title|desc)$/.test(e.tagName)) { return; }
        var style = getComputedStyle(e);
        var color = e.tagName === "text" ? style.fill : style.color;
        var r = ratio(channels(color), background(e));
        if (r < 4.5) { wrong.push(r.toFixed(2) + " " + short(e)); }
    });
    all("svg line, svg path.curve, svg rect.box, svg rect.hatch, svg circle").forEach(function (e) {
        if (/grid|lead/.test(e.getAttribute("class"))) { return; }
        var r = ratio(channels(getComputedStyle(e).stroke), background(e));
        if (r < 3) { wrong.push(r.toFixed(2) + " " + short(e)); }
    });
    check("contrast of text is 4.5 and of lines 3 or more", wrong);
}

/* As it would be printed: what holds for paper holds for this window, which is as wide as a page of A4. Nothing can be
 * scrolled there. */
var isPrint = location.hash === "#print";
function print() {
    var changed = 0;
    all("style").forEach(function (style) {
        [].forEach.call(style.sheet.cssRules, function (rule) {
            if (rule.media && rule.media.mediaText === "print") { rule.media.mediaText = "all"; changed++; }
        });
    });
    check("there are rules for paper", changed ? [] : ["none"]);
    check("what one can only click is not printed", all("nav, form, .skip-link").filter(function (e) {
        return e.getClientRects().length > 0;
    }).map(short));
}

function overflow() {
    var width = document.documentElement.clientWidth;
    var rolled = (isPrint ? "" : ".scroll, ") + "pre, .skip-link, [hidden], details:not([open])";
    var wrong = all("body *").filter(function (e) {
        return !e.closest(rolled) &&
            e.getBoundingClientRect().right > width + 0.5;
    }).map(short);
    if (document.documentElement.scrollWidth > width) {
        wrong.unshift("the page is " + document.documentElement.scrollWidth + " wide, the window " + width);
    }
    check("nothing is wider than the window", wrong);
}

function overlaps(a, b) {
    return a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3;
}
function pictures() {
    var wrong = [];
    all("svg[viewBox]").forEach(function (svg) {
        var outer = svg.getBoundingClientRect();
        var texts = all("text", svg).filter(function (t) { return !t.classList.contains("mono"); });
        var boxes = texts.map(function (t) { return t.getBoundingClientRect(); });
        if (!svg.querySelector("title") || !svg.querySelector("desc")) { wrong.push("no words: " + short(svg)); }
        boxes.forEach(function (box, i) {
            if (box.left < outer.left - 1 || box.right > outer.right + 1 || box.top < outer.top - 1 ||
                box.bottom > outer.bottom + 1) {
                wrong.push("cut off: " + texts[i].textContent);
            }
            for (var k = i + 1; k < boxes.length; k++) {
                if (overlaps(box, boxes[k])) {
                    wrong.push("\"" + texts[i].textContent + "\" lies on \"" + texts[k].textContent + "\"");
                }
            }
        });
    });
    check("no text of a picture is cut off or lies on another", wrong);
}

/* Numbers that are no axis: dim text is axes and legends, mono text is digits of a map with a table behind it. */
function numbers() {
    var wrong = [];
    all("section").forEach(function (section) {
        var said = [];
        var walk = document.createTreeWalker(section, NodeFilter.SHOW_TEXT);
        while (walk.nextNode()) {
            if (!walk.currentNode.parentElement.closest("svg")) {
                (walk.currentNode.data.match(/\d+(\.\d+)?/g) || []).forEach(function (n) {
                    said.push(n.replace(".", ""));
                });
            }
        }
        all("svg text", section).forEach(function (text) {
            if (/dim|mono/.test(text.getAttribute("class"))) { return; }
            (text.textContent.match(/\d+(\.\d+)?/g) || []).forEach(function (n) {
                var digits = n.replace(".", "");
                if (!said.some(function (s) { return s.indexOf(digits) === 0; })) {
                    wrong.push(n + " of \"" + text.textContent + "\"");
                }
            });
        });
    });
    check("every number of a picture is in the text, too", wrong);
}

function labels() {
    var wrong = [];
    var level = 0;
    var ids = {};
    all("table").forEach(function (t) { if (!t.caption || !t.caption.textContent) { wrong.push("no caption"); } });
    all("th").forEach(function (t) { if (!t.scope) { wrong.push("no scope: " + short(t)); } });
    all("input").forEach(function (i) { if (!i.labels.length) { wrong.push("no label: " + i.name); } });
    all("[role=region], nav, form").forEach(function (r) {
        if (!r.getAttribute("aria-label") && !document.getElementById(r.getAttribute("aria-labelledby"))) {
            wrong.push("no name: " + short(r));
        }
    });
    all(".scroll, pre").forEach(function (s) { if (s.tabIndex !== 0) { wrong.push("no keyboard: " + short(s)); } });
    all("[id]").forEach(function (e) {
        if (ids[e.id]) { wrong.push("two of #" + e.id); }
        ids[e.id] = true;
    });
    all("a[href]").forEach(function (a) {
        if (!document.getElementById(a.getAttribute("href").slice(1))) { wrong.push("leads nowhere: " + short(a)); }
    });
    all("h1, h2, h3, h4").forEach(function (h) {
        var next = Number(h.tagName[1]);
        if (next > level + 1) { wrong.push("level skipped: " + short(h)); }
        level = next;
    });
    if (all("h1").length !== 1) { wrong.push(all("h1").length + " first headings"); }
    if (!document.documentElement.lang || !document.title) { wrong.push("no language or title"); }
    if (document.activeElement !== document.body) { wrong.push("the focus was moved"); }
    check("everything has its label, heading, caption and place for the keyboard", wrong);
}

function signs() {
    var wrong = [];
    all(".badge").forEach(function (b) {
        if (!/^(PASS|FAIL|WARN|INFO|SKIP)$/.test(b.textContent)) { wrong.push(short(b)); }
    });
    all("svg .cell").forEach(function (cell) {
        var svg = cell.closest("svg");
        var cells = all(".cell", svg).reduce(function (n, c) {
            return n + c.getAttribute("d").split("M").length - 1;
        }, 0);
        var digits = all("text.mono", svg).map(function (t) { return t.textContent; }).join("");
        if (digits.replace(/-/g, "").length !== cells) { wrong.push("cells without a digit"); }
    });
    check("colour is never the only sign", wrong);
}

function visible() {
    return all("[data-verdict]").filter(function (row) { return row.getClientRects().length > 0; });
}
function set(selector, value) {
    var input = document.querySelector(selector);
    if (input.type === "checkbox") { input.checked = value; } else { input.value = value; }
    input.dispatchEvent(new Event("input", {bubbles: true}));
    input.dispatchEvent(new Event("change", {bubbles: true}));
}
function filter() {
    var wrong = [];
    var rows = all("[data-verdict]").length;
    function expect(count, what) {
        var said = document.getElementById("filter-said").textContent;
        if (visible().length !== count || said !== count + " of " + rows + " shown") {
            wrong.push(what + ": " + visible().length + " rows, said " + said + ", not " + count);
        }
    }
    function count(selector) { return all("[data-verdict]" + selector).length; }
    expect(rows, "at first");
    set("input[value=pass]", false);
    expect(count(":not([data-verdict=pass])"), "without PASS");
    set("input[value=medium]", false);
    expect(count(":not([data-verdict=pass]):not([data-severity=medium])"), "and without medium");
    set("input[value=pass]", true);
    set("input[value=medium]", true);
    var id = document.querySelector("[data-verdict] b").textContent;
    set("#filter-words", id.toLowerCase());
    expect(all("[data-verdict]").filter(function (row) {
        return row.textContent.toLowerCase().indexOf(id.toLowerCase()) >= 0;
    }).length, id);
    set("#filter-words", "no such words");
    expect(0, "words that are nowhere");
    set("#filter-words", "");
    expect(rows, "at last");
    check("the filter hides what it says and brings it back", wrong);
}

if (isPrint) { print(); }
overflow();
all("details").forEach(function (d) { d.open = true; });
overflow();
contrast();
pictures();
if (!isPrint) {
    numbers();
    labels();
    signs();
    filter();
}
check("no error", window.pageErrors || []);
lines.push("# " + document.documentElement.clientWidth + " pixels, " +
    (matchMedia("(prefers-color-scheme:dark)").matches ? "dark" : "light") + ", " +
    all("body *").length + " elements, ready after " + Math.round(performance.now()) + " ms");
parent.postMessage(lines.join("\n"), "*");
}());
