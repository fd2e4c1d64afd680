//! What of lines and polygons lies in a rectangle.

/// The part of a line from one point to another that lies in a rectangle of lowest and highest
/// corner (Liang & Barsky 1984); edges count as inside.
pub fn clipped(line: [[f64; 2]; 2], [low, high]: [[f64; 2]; 2]) -> Option<[[f64; 2]; 2]> {
    let [from, to] = line;
    let mut part = [0.0_f64, 1.0];
    for a in 0..2 {
        let along = to[a] - from[a];
        if along == 0.0 {
            if !(low[a]..=high[a]).contains(&from[a]) {
                return None;
            }
            continue;
        }
        let ends = [(low[a] - from[a]) / along, (high[a] - from[a]) / along];
        part = [part[0].max(ends[0].min(ends[1])), part[1].min(ends[0].max(ends[1]))];
    }
    // An end that lies inside stays as it is, bit for bit: lines that meet there still do.
    let at = |part: f64| {
        if part == 1.0 { to } else { [0, 1].map(|a| from[a] + part * (to[a] - from[a])) }
    };
    (part[0] <= part[1]).then(|| part.map(at))
}

/// The part of a polygon that lies in a rectangle (Sutherland & Hodgman 1974). Where it falls
/// apart, edges along the rectangle's join its pieces; they enclose nothing.
pub fn clipped_polygon(corners: &[[f64; 2]], [low, high]: [[f64; 2]; 2]) -> Vec<[f64; 2]> {
    let mut corners = corners.to_vec();
    for (a, edge, sign) in
        [(0, low[0], 1.0), (0, high[0], -1.0), (1, low[1], 1.0), (1, high[1], -1.0)]
    {
        let beyond = |point: [f64; 2]| sign * (point[a] - edge) < 0.0;
        let mut kept = Vec::with_capacity(corners.len() + 4);
        for (i, &to) in corners.iter().enumerate() {
            let from = corners[(i + corners.len() - 1) % corners.len()];
            if beyond(from) != beyond(to) {
                let part = (edge - from[a]) / (to[a] - from[a]);
                let mut crossing = [0, 1].map(|b| from[b] + part * (to[b] - from[b]));
                crossing[a] = edge;
                kept.push(crossing);
            }
            if !beyond(to) {
                kept.push(to);
            }
        }
        corners = kept;
    }
    corners
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: [[f64; 2]; 2] = [[0.0, 0.0], [1.0, 1.0]];

    #[test]
    fn lines_end_at_the_edges() {
        assert_eq!(clipped([[0.1, 0.2], [0.3, 0.7]], UNIT), Some([[0.1, 0.2], [0.3, 0.7]]));
        assert_eq!(clipped([[-1.0, 0.5], [3.0, 0.5]], UNIT), Some([[0.0, 0.5], [1.0, 0.5]]));
        assert_eq!(clipped([[0.5, 2.0], [0.5, -2.0]], UNIT), Some([[0.5, 1.0], [0.5, 0.0]]));
        assert_eq!(clipped([[0.0, 1.0], [1.0, 1.0]], UNIT), Some([[0.0, 1.0], [1.0, 1.0]]));
        for outside in
            [[[-1.0, 0.5], [-0.1, 0.5]], [[0.0, 1.5], [1.0, 1.5]], [[0.9, -1.0], [3.0, 0.9]]]
        {
            assert_eq!(clipped(outside, UNIT), None, "{outside:?}");
        }
    }

    #[test]
    fn polygons_lose_what_lies_outside() {
        let area = |corners: &[[f64; 2]]| {
            let next = corners.iter().cycle().skip(1);
            let twice = |(p, q): (&[f64; 2], &[f64; 2])| p[0] * q[1] - p[1] * q[0];
            0.5 * corners.iter().zip(next).map(twice).sum::<f64>()
        };
        let square = [[0.5, 0.5], [2.5, 0.5], [2.5, 2.5], [0.5, 2.5]];
        assert_eq!(area(&clipped_polygon(&square, UNIT)), 0.25);
        let around = square.map(|point| point.map(|x| 4.0 * (x - 1.5)));
        assert_eq!(area(&clipped_polygon(&around, UNIT)), 1.0);
        let beside = square.map(|[x, y]| [x + 1.0, y]);
        assert!(clipped_polygon(&beside, UNIT).is_empty() && clipped_polygon(&[], UNIT).is_empty());
        // Two prongs of a fork reach in from the left.
        let fork = [
            [-1.0, 0.0],
            [0.5, 0.0],
            [0.5, 0.25],
            [-0.5, 0.25],
            [-0.5, 0.75],
            [0.5, 0.75],
            [0.5, 1.0],
            [-1.0, 1.0],
        ];
        assert_eq!(area(&clipped_polygon(&fork, UNIT)), 0.25);
    }
}
